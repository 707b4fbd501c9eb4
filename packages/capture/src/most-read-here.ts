/** The agent's thread reads no more than this of what a step consists of. UTF-16 units or bytes. */
export const MOST_READ_HERE = 64 * 1024;
