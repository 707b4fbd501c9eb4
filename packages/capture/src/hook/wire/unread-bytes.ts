/** Bytes of one direction that are not part of a whole request or message yet. */
export class UnreadBytes {
  #chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  /** So many bytes at the front have been read. */
  drop(count: number): void {
    let left = count;
    while (left > 0) {
      const [first] = this.#chunks;
      if (first === undefined) throw new RangeError(`${left} bytes more than there were`);
      if (first.length <= left) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(left);
      left -= first.length;
    }
  }

  /** All of them; none are left. */
  take(): Buffer {
    return Buffer.concat(this.#chunks.splice(0));
  }
}
