import type { Socket } from "node:net";
import { guarded } from "../fault/faults.ts";
import { effectFrame, live, type RunContext, type RunFrame } from "../run/context.ts";
import { ChildWrites, type WriteDone, writeError } from "./child-writes.ts";
import { ChildInput, type InputRoom, MOST_KEPT } from "./child-input.ts";

export interface ChildInputsOptions {
  /** of the step that started the child */
  readonly frame: RunFrame;
  /** of the steps */
  readonly name: string;
  /** null: there is no real stream, as in a replay */
  socket(): Socket | null;
  /** code of a run has written to the child */
  written(frame: RunFrame): void;
  /** the program writes nothing more */
  ended(): void;
  /** in a replay: the recorded write of this number failed, which an event of the child tells */
  fails(write: number): boolean;
  /** false: the child could not be started */
  readonly isStarted: boolean;
  idleMs(): number;
}

/** What a program writes to one descriptor of a child: a step for each run that writes, and for each tool of it that does. */
export class ChildInputs {
  readonly #options: ChildInputsOptions;
  readonly #writes = new ChildWrites();
  readonly #byRun = new Map<RunContext, { readonly room: InputRoom; readonly byScope: Map<number, ChildInput> }>();

  constructor(options: ChildInputsOptions) {
    this.#options = options;
  }

  write(chunk: Buffer, done: WriteDone): void {
    const frame = this.#frame();
    const write = this.#writes.begin(done);
    const input = this.#of(frame);
    input.keep(chunk);
    if (!frame.run.over) this.#options.written(frame);
    if (!this.#options.isStarted) return process.nextTick(() => this.#writes.settle(writeError("EPIPE")));
    const fails = guarded("child", false, () => this.#options.fails(write));
    input.send(chunk, () => this.#writes.settle(null), fails);
  }

  /** Number of the write that the child has not taken yet; null: none. */
  get currentWrite(): number | null {
    return this.#writes.current;
  }

  /** The stream has failed, and with it the write that is under way. */
  failed(error: Error): void {
    if (this.#writes.current !== null) this.#writes.settle(error);
  }

  /** The program writes nothing more. */
  end(): void {
    guarded("child", undefined, () => {
      this.#options.ended();
      if (this.#byRun.size === 0) this.#of(this.#frame()).end();
      else this.#over();
    });
    live(() => this.#options.socket()?.end());
  }

  /** What is written from now on goes nowhere. */
  over(): void {
    this.#writes.cancel();
    guarded("child", undefined, () => this.#over());
  }

  /** The end of the program is closed. */
  close(): void {
    this.#writes.close();
  }

  /** Code outside of all runs writes for the one that started the child. */
  #frame(): RunFrame {
    return guarded("child", null, effectFrame) ?? this.#options.frame;
  }

  #over(): void {
    for (const { byScope } of this.#byRun.values()) for (const input of byScope.values()) input.over();
  }

  #of(frame: RunFrame): ChildInput {
    const { name, socket, idleMs } = this.#options;
    const { run, scope } = frame;
    let ofRun = this.#byRun.get(run);
    if (ofRun === undefined) {
      for (const known of this.#byRun.keys()) if (known.over) this.#byRun.delete(known);
      this.#byRun.set(run, (ofRun = { room: { left: MOST_KEPT }, byScope: new Map() }));
    }
    let input = ofRun.byScope.get(scope);
    if (input === undefined)
      ofRun.byScope.set(scope, (input = new ChildInput(frame, name, { socket, idleMs, room: ofRun.room })));
    return input;
  }
}
