import { AsyncResource } from "node:async_hooks";
import { encodeValue } from "@reenact/envelope";
import type { Socket } from "node:net";
import { orderedTurn } from "../ambient/operations/ordered-turn.ts";
import { guarded } from "../fault/faults.ts";
import { printableOrBytes } from "../hook/text-or-bytes.ts";
import { plainJson } from "../redact/plain-json.ts";
import { live, type RunFrame } from "../run/context.ts";
import { openStep, settle, type OpenStep } from "../span/open-step.ts";
import type { CallDraft } from "../span/step-content.ts";

/** Bytes that are kept of what a run writes: it may write more than memory holds, and redaction reads no longer text. */
export const MOST_KEPT = 8 * 1024 * 1024;

/** How many bytes may still be kept of what a run writes. */
export interface InputRoom {
  left: number;
}

interface ChildInputOptions {
  /** null: there is no real stream, as in a replay */
  socket(): Socket | null;
  readonly room: InputRoom;
  idleMs(): number;
}

/**
 * What a run, or a tool of it, writes to a child: one step from the first write to the end of the input or of the run. It is
 * compared as a whole, once it is whole: how it is cut into writes says nothing, and a value may be cut between two.
 */
export class ChildInput {
  readonly #frame: RunFrame;
  readonly #name: string;
  readonly #options: ChildInputOptions;
  readonly #chunks: Buffer[] = [];
  #leftOut = 0;
  #step: OpenStep | null = null;

  constructor(frame: RunFrame, name: string, options: ChildInputOptions) {
    this.#frame = frame;
    this.#name = name;
    this.#options = options;
  }

  /** The program writes this: it is kept, and not sent. */
  keep(chunk: Buffer): void {
    guarded("child", undefined, () => {
      this.#open();
      this.#keep(chunk);
    });
  }

  /**
   * `done`: the child has taken it. Not called where the write fails, which the error of the stream tells.
   *
   * @param fails in a replay: the recorded write failed
   */
  send(chunk: Buffer, done: () => void, fails: boolean): void {
    const take = orderedTurn(this.#frame);
    if (fails) return;
    // the real stream tells it in a context of ours, and what the program does then is its own work
    const doneHere = AsyncResource.bind(done);
    const taken = (): unknown => take(doneHere, () => {});
    const socket = this.#options.socket();
    if (socket === null || !socket.writable) return void taken();
    const isTaken = live(() => socket.write(chunk));
    if (socket.errored !== null) return;
    if (isTaken) return void taken();
    const off = (): unknown => socket.off("drain", once).off("close", once).off("error", off);
    const once = (): void => {
      off();
      taken();
    };
    live(() => socket.once("drain", once).once("close", once).once("error", off));
  }

  #keep(chunk: Buffer): void {
    const { room } = this.#options;
    const kept = Math.min(room.left, chunk.length);
    room.left -= kept;
    if (kept > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, kept)));
    if (kept === chunk.length) return;
    if (this.#leftOut === 0) this.#step?.lossy.push(`input: all but the first ${MOST_KEPT} bytes of the run`);
    this.#leftOut += chunk.length - kept;
  }

  /** The program writes nothing more, also where it has written nothing. */
  end(): void {
    this.#open();
    this.over();
  }

  /** The program writes nothing more, or what it writes goes nowhere. */
  over(): void {
    this.compare();
    if (this.#step?.state === "open") settle(this.#step);
  }

  /** What was written is whole, also where the run ends before the input does. */
  readonly compare = (): void => {
    const step = this.#step;
    this.#frame.run.ending.delete(this.compare);
    if (step?.state !== "open" || step.call === null) return;
    const { args, input } = step.call;
    step.call = { ...step.call, args, input };
    step.run.source.late(step, { args: typeof args === "string" ? args : "", json: input });
  };

  #open(): void {
    const { run } = this.#frame;
    if (this.#step !== null || run.over) return;
    const step = openStep(this.#frame, {
      kind: "STEP",
      name: this.#name,
      op: `process:${this.#name}`,
      path: this.#frame.path,
      agentic: false,
      idleMs: this.#options.idleMs,
      content: null,
    });
    step.call = draftOf(
      () => printableOrBytes(Buffer.concat(this.#chunks)),
      () => this.#leftOut,
    );
    this.#step = step;
    run.ending.add(this.compare);
  }
}

/**
 * The call whose argument is what was written so far, also where the run ends before it is whole. Bytes that are not kept are a
 * second argument, with the token of a text that was not scanned: a replay says that it has compared their number only.
 */
function draftOf(kept: () => unknown, bytesLeftOut: () => number): CallDraft {
  return {
    get args() {
      const left = bytesLeftOut();
      return encodeValue(left === 0 ? [kept()] : [kept(), `UNSCANNED_${left}`]).text;
    },
    get input() {
      return plainJson(kept(), "");
    },
    result: encodeValue(undefined).text,
    error: null,
    sync: true,
    same: null,
    yields: null,
    generator: null,
    output: null,
  };
}
