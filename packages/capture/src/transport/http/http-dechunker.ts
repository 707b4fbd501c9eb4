/** Takes the chunked coding off a body. `feed` throws at what is none. */
export class Dechunker {
  #state: "size" | "data" | "gap" | "trailer" | "done" = "size";
  #line = "";
  #left = 0;
  #tail = "";

  get done(): boolean {
    return this.#state === "done";
  }

  /** The terminating chunk with its trailers, as it came. */
  get tail(): Buffer {
    return Buffer.from(this.#tail, "latin1");
  }

  get hasTrailers(): boolean {
    return this.#tail.indexOf("\r\n") < this.#tail.length - 4;
  }

  /** Hands out runs of data; returns how many bytes belong to this body. */
  feed(bytes: Buffer, data: (run: Buffer) => void): number {
    let at = 0;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "data") {
        const run = bytes.subarray(at, at + this.#left);
        at += run.length;
        this.#left -= run.length;
        if (this.#left === 0) this.#state = "gap";
        data(run);
        continue;
      }
      const newline = bytes.indexOf(10, at);
      const end = newline === -1 ? bytes.length : newline + 1;
      this.#line += bytes.toString("latin1", at, end);
      at = end;
      if (newline === -1) {
        if (this.#line.length > 64 * 1024) throw new Error("a line of the chunked coding is too long");
        break;
      }
      const line = this.#line;
      this.#line = "";
      this.#next(line);
    }
    return at;
  }

  #next(line: string): void {
    if (this.#state === "gap") {
      if (line !== "\r\n") throw new Error("no line end after a chunk");
      this.#state = "size";
    } else if (this.#state === "size") {
      const size = /^([0-9a-f]{1,13})[ \t]*(;.*)?\r\n$/i.exec(line)?.[1];
      if (size === undefined) throw new Error("no chunk size");
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? "trailer" : "data";
      if (this.#left === 0) this.#tail = line;
    } else {
      this.#tail += line;
      if (line === "\r\n") this.#state = "done";
    }
  }
}

export function chunkOf(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

export const LAST_CHUNK: Buffer = Buffer.from("0\r\n\r\n");
