import { encodeValue } from "@reenact/envelope";
import type { Socket } from "node:net";
import { orderedTurn } from "../ambient/operations/ordered-turn.ts";
import { guarded } from "../fault/faults.ts";
import { printableOrBytes } from "../hook/text-or-bytes.ts";
import { plainJson } from "../redact/plain-json.ts";
import { live, type RunFrame } from "../run/context.ts";
import { openStep, settle, type OpenStep } from "../span/open-step.ts";
import type { CallDraft } from "../span/step-content.ts";

/** Bytes that are kept of what a program writes: it may write more than memory holds, and redaction reads no longer text. */
const MOST_KEPT = 8 * 1024 * 1024;

/**
 * What a program writes to a child: one step from the first write to the end. It is compared as a whole, once it is whole: how
 * it is cut into writes says nothing, and a value may be cut between two.
 */
export class ChildInput {
  readonly #frame: RunFrame;
  readonly #name: string;
  readonly #socket: () => Socket | null;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #step: OpenStep | null = null;

  constructor(frame: RunFrame, name: string, socket: () => Socket | null) {
    this.#frame = frame;
    this.#name = name;
    this.#socket = socket;
  }

  write(chunk: Buffer, done: () => void): void {
    guarded("child", undefined, () => {
      this.#open();
      this.#keep(chunk);
    });
    const take = orderedTurn(this.#frame);
    const taken = (): unknown => take(done, () => {});
    const socket = this.#socket();
    if (socket === null || !socket.writable || live(() => socket.write(chunk))) return void taken();
    const once = (): void => {
      socket.off("drain", once).off("close", once);
      taken();
    };
    live(() => socket.once("drain", once).once("close", once));
  }

  #keep(chunk: Buffer): void {
    const left = MOST_KEPT - this.#bytes;
    this.#bytes += chunk.length;
    if (left > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, left)));
    if (left >= 0 && chunk.length > left) this.#step?.lossy.push(`input: all but the first ${MOST_KEPT} bytes`);
  }

  /** The program writes nothing more. */
  end(): void {
    guarded("child", undefined, () => {
      this.#open();
      this.over();
    });
    live(() => this.#socket()?.end());
  }

  /** The program writes nothing more, or what it writes goes nowhere. */
  over(): void {
    const step = this.#step;
    if (step?.state !== "open" || step.call === null) return;
    const { args, input } = step.call;
    step.call = { ...step.call, args, input };
    step.run.source.late(step, { args: typeof args === "string" ? args : "", json: input });
    settle(step);
  }

  #open(): void {
    if (this.#step !== null || this.#frame.run.over) return;
    const step = openStep(this.#frame, {
      kind: "STEP",
      name: this.#name,
      op: `process:${this.#name}`,
      path: this.#frame.path,
      agentic: false,
      content: null,
    });
    step.call = draftOf(() => this.#value());
    this.#step = step;
  }

  #value(): string | Uint8Array {
    return printableOrBytes(Buffer.concat(this.#chunks));
  }
}

/** The call whose argument is what was written so far, also where the run ends before it is whole. */
function draftOf(value: () => unknown): CallDraft {
  return {
    get args() {
      return encodeValue([value()]).text;
    },
    get input() {
      return plainJson(value(), "");
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
