import { epochNow } from "@reenact/capture/recorder";
import { errorCode, makeFolder } from "@reenact/envelope";
import { join } from "node:path";
import type { StoreLayout } from "../config/store-layout.ts";
import { CLOSED, type FrameKind, frameParts } from "./frame.ts";
import { originalFs } from "./original-fs.ts";

/** A file that has been silent this long may have been claimed by a sealer (which waits for 5 s). */
const SURE_MS = 4000;

const EMPTY = Buffer.alloc(0);

type State = "unopened" | "open" | "broken";

/**
 * A file that a process appends to; nothing is created before the first frame. A sealer that took a file for
 * dead has renamed it away: then a new one is begun.
 */
export class SpoolFile {
  readonly #layout: StoreLayout;
  /** of the next file, without what follows the dot */
  readonly #name: () => string;
  /** frames that every file of this process begins with */
  readonly #preamble: () => Buffer[];
  #state: State = "unopened";
  #fd = -1;
  #path = "";
  #written = 0;
  #before = 0;
  #last = 0;

  constructor(layout: StoreLayout, name: () => string, preamble: () => Buffer[]) {
    this.#layout = layout;
    this.#name = name;
    this.#preamble = preamble;
  }

  get state(): State {
    return this.#state;
  }

  /** bytes that this process has written */
  get written(): number {
    return this.#written;
  }

  /** bytes in the file that is open */
  get size(): number {
    return this.#written - this.#before;
  }

  /** Creates the store where there is none, and the file. Throws what the file system throws. */
  open(): void {
    const { spool, gitignore } = this.#layout;
    makeFolder(originalFs, spool);
    try {
      originalFs.writeFileSync(gitignore, "*\n", { flag: "wx" });
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    this.#path = join(spool, `${this.#name()}.spool`);
    this.#before = this.#written;
    this.#fd = originalFs.openSync(this.#path, "ax", 0o600);
    this.#state = "open";
    for (const frame of this.#preamble()) this.#append(frame);
  }

  write(kind: FrameKind, ...parts: (string | Uint8Array)[]): void {
    if (this.#state !== "open") return;
    this.renew();
    this.#append(...frameParts(kind, parts));
  }

  /** Begins another file where a sealer has taken this one; a frame that refers to an earlier one comes behind this. */
  renew(): void {
    if (this.#state !== "open" || epochNow() - this.#last <= SURE_MS) return;
    this.#last = epochNow();
    if (this.#isOurs()) return;
    originalFs.closeSync(this.#fd);
    this.#state = "unopened";
    this.open();
  }

  close(): void {
    if (this.#state !== "open") return;
    if (this.#isOurs()) this.#append(CLOSED);
    originalFs.closeSync(this.#fd);
    this.#state = "unopened";
  }

  /** After a failed write the file ends torn: nothing may follow. */
  break(): void {
    this.#state = "broken";
  }

  /** The parts of one frame in one write; what the disk did not take at once follows. */
  #append(...parts: Uint8Array[]): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const done = originalFs.writevSync(this.#fd, parts);
    const rest = done < length ? Buffer.concat(parts).subarray(done) : EMPTY;
    for (let from = 0; from < rest.length;) from += originalFs.writeSync(this.#fd, rest, from, rest.length - from);
    this.#written += length;
    this.#last = epochNow();
  }

  #isOurs(): boolean {
    const there = originalFs.statSync(this.#path, { throwIfNoEntry: false });
    return there !== undefined && there.ino === originalFs.fstatSync(this.#fd).ino;
  }
}
