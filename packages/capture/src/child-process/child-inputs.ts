import type { Socket } from "node:net";
import { guarded } from "../fault/faults.ts";
import { effectFrame, live, type RunContext, type RunFrame } from "../run/context.ts";
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
  idleMs(): number;
}

/** What a program writes to one descriptor of a child: a step for each run that writes, and for each tool of it that does. */
export class ChildInputs {
  readonly #options: ChildInputsOptions;
  readonly #byRun = new Map<RunContext, { readonly room: InputRoom; readonly byScope: Map<number, ChildInput> }>();

  constructor(options: ChildInputsOptions) {
    this.#options = options;
  }

  write(chunk: Buffer, done: () => void): void {
    const frame = this.#frame();
    this.#of(frame).write(chunk, done);
    if (!frame.run.over) this.#options.written(frame);
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
    guarded("child", undefined, () => this.#over());
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
