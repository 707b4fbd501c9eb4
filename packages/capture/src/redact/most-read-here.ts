/** The agent's thread redacts no text of a step that is longer than this. UTF-16 units or bytes. */
export const MOST_READ_HERE = 64 * 1024;
