/** A number of a list, or a value of an object whose names are indices. */
export const OCTET = /\d+(?=[\s,]|$)/g;

/** The bytes that JSON shows as `104, 105` or `"0": 104, "1": 105`. */
export const octetsOf = (written: string): Buffer =>
  Buffer.from(Array.from(written.matchAll(OCTET), ([number]) => Number(number)));
