/** Shorter buffers may be slices of a pool that Node shares. Bytes. */
const OWN = 16 * 1024;

/**
 * Gives the memory of bytes that nobody will read again back at once: while many large buffers wait for a collection, each
 * one is new memory, and each collection is long. Only where they have a buffer to themselves, but for `spare` bytes behind
 * them; what is a part of another stays.
 */
export function giveBack(bytes: Uint8Array, spare = 0): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (!(buffer instanceof ArrayBuffer) || byteOffset > 0 || byteLength < OWN) return;
  if (buffer.byteLength - byteLength <= spare) buffer.transfer(0);
}
