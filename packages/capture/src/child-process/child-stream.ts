import { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { orderedCompletion } from "../ambient/operations/ordered-completion.ts";
import { guarded } from "../fault/faults.ts";
import { originals } from "../patch/originals.ts";
import { live, type RunFrame } from "../run/context.ts";
import type { ChildInputs } from "./child-inputs.ts";

export interface ChildStreamOptions {
  readonly frame: RunFrame;
  /** the descriptor of the child */
  readonly fd: number;
  /** the real stream; null: there is none, as in a replay */
  socket(): Socket | null;
  /** the next chunk is wanted */
  pull(): void;
  /** takes what the program writes; null: it cannot */
  readonly input: ChildInputs | null;
}

/** What stands for a stream of another recorded child among the descriptors of one. */
export function realStream(given: unknown): unknown {
  return given instanceof ChildStream ? (given.handOn() ?? given) : given;
}

/** One end of a pipe to a child, as the program has it. It has no handle: what is read is pushed, what is written is taken. */
export class ChildStream extends Duplex {
  readonly #options: ChildStreamOptions;
  #isHandedOn = false;

  constructor(options: ChildStreamOptions) {
    const directions = { readable: options.fd > 0, writable: options.input !== null };
    super({ ...directions, allowHalfOpen: options.fd > 2, decodeStrings: true });
    this.#options = options;
  }

  socket(): Socket | null {
    return this.#options.socket();
  }

  /** Another child reads it from now on. */
  handOn(): Socket | null {
    this.#isHandedOn = true;
    return this.socket();
  }

  ref(): this {
    this.socket()?.ref();
    return this;
  }

  unref(): this {
    this.socket()?.unref();
    return this;
  }

  /** as a socket: once what was written is taken */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  /** The real stream has failed. */
  failed(error: Error): void {
    this.#options.input?.failed(error);
    this.destroy(error);
  }

  /** Number of the write that the child has not taken yet; null: none. */
  get currentWrite(): number | null {
    return this.#options.input?.currentWrite ?? null;
  }

  override _read(): void {
    // the program may hand it on to another child in this turn
    process.nextTick(() => {
      if (!this.#isHandedOn) live(() => this.#options.pull());
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#options.input === null) done();
    else this.#options.input.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#options.input?.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    guarded("child", undefined, () => this.#options.input?.over());
    live(() => this.socket()?.destroy());
    // as a socket: it is closed in a later turn
    const close = orderedCompletion(this.#options.frame);
    live(() =>
      originals.setImmediate(() =>
        close(() => {
          this.#options.input?.close();
          done(error);
        }),
      ),
    );
  }
}
