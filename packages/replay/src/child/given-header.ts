/** A header that the caller gives a recorded request: its name and value. */
export type GivenHeader = readonly [name: string, value: string];
