/** A body that says which one it is and can be made again: its number, then bytes that follow from it. */
export function numberedBody(number: number): Buffer {
  // some are longer than a quarter of a small ring
  const length = 4 + (((number * 2654435761) >>> 0) % (number % 7 === 0 ? 24_000 : 900));
  const body = Buffer.allocUnsafeSlow(length);
  let state = number + 1;
  for (let at = 0; at < length; at++) {
    state = Math.imul(state, 1664525) + 1013904223;
    body[at] = state >>> 24;
  }
  body.writeUInt32LE(number);
  return body;
}

export function numberOf(body: Uint8Array): number {
  return Buffer.from(body.buffer, body.byteOffset, body.length).readUInt32LE();
}
