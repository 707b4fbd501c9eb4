import { recordWholeError } from "@reenact/envelope";
import { guarded } from "../../fault/faults.ts";
import { readAhead } from "../../redact/read-ahead.ts";
import { LEAST_READ_ELSEWHERE } from "../../redact/read-elsewhere.ts";
import { live } from "../../run/context.ts";
import type { DeliveryKind } from "../../source/gate.ts";
import { originals } from "../../patch/originals.ts";
import type { OpenStep } from "../../span/open-step.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import type { Piece } from "./http-answer.ts";
import { chunkOf } from "./http-dechunker.ts";
import type { Framing } from "./http-head.ts";

export interface Receiver {
  /** `deliver` runs in a turn of its own, in the agent's context, unless the agent no longer waits */
  offer(kind: DeliveryKind, id: number, part: number, deliver: () => void): void;
  /** bytes into the agent's end of the pipe; null: the other side has ended */
  receive(bytes: Buffer | null): void;
  breakOff(error: Error): void;
  /** before the agent gets the last of it */
  ended(end: "complete" | "error"): void;
}

/** The answer on its way to the agent: each piece is noted in the record when it is delivered, never before. */
export class Download {
  readonly #step: OpenStep;
  readonly #draft: ExchangeDraft;
  readonly #to: Receiver;
  readonly #undelivered: Buffer[] = [];
  #framing: Framing = { by: "nothing" };
  #headOffered = false;
  readonly #before: Buffer[] = [];
  #parts = 0;
  /** of the body, as it has come */
  #bytes = 0;
  /** what was offered and not delivered yet */
  #onTheWay = 0;
  /** offers the last of the answer; set while anything before it is on its way */
  #offerLast: (() => void) | null = null;
  #continueId: number | null = null;

  constructor(step: OpenStep, draft: ExchangeDraft, to: Receiver) {
    this.#step = step;
    this.#draft = draft;
    this.#to = to;
  }

  awaitContinue(): void {
    this.#continueId = this.#step.run.source.next("o", this.#step.frame.scope);
  }

  arrived(piece: Piece, at?: number): void {
    if (piece.kind === "head") return this.#head(piece);
    if (piece.kind === "chunk") return this.#chunk(piece, at);
    if (piece.kind === "interim") return this.#interim(piece.status, piece.wire);
    // bytes that are no answer go unchanged to Node's client, which reports the error
    if (piece.kind === "raw") return this.#headOrEnd(() => this.#to.receive(piece.wire));
    if (piece.trailers) this.#step.lossy.push("trailers");
    this.#last(null, () =>
      this.#headOrEnd(() => {
        if (piece.fields !== undefined && this.#draft.response !== null) this.#draft.response.trailers = piece.fields;
        this.#to.ended("complete");
        this.#to.receive(piece.wire);
      }),
    );
  }

  cut(): void {
    const message = this.#headOffered ? "aborted" : "socket hang up";
    this.#failing(Object.assign(new Error(message), { code: "ECONNRESET" }), () => this.#to.receive(null));
  }

  fail(error: Error): void {
    this.#failing(error, () => this.#to.breakOff(error));
  }

  /** A copy for the record, with the position of its delivery; -1: the agent never saw these bytes. */
  keep(bytes: Uint8Array, position: number, at = sinceStart(this.#step)): void {
    if (this.#step.state === "ended") return;
    this.#step.run.received(bytes.length);
    this.#draft.chunks.push(new Uint8Array(bytes));
    this.#draft.cuts.push([at, bytes.length, position]);
  }

  keepUndelivered(): void {
    for (const bytes of this.#undelivered) this.keep(bytes, -1);
  }

  #head(piece: Extract<Piece, { kind: "head" }>): void {
    this.#framing = piece.framing;
    this.#headOrEnd(() => {
      const { status, reason } = piece.line;
      const { headers } = piece.head;
      const hasBody = piece.framing.by !== "nothing" && !piece.last;
      this.#draft.response = {
        status,
        reason,
        headers,
        url: this.#draft.url,
        redirected: false,
        type: "default",
        hasBody,
      };
      this.#step.run.retries.answered(this.#step);
      if (piece.last) this.#to.ended("complete");
      this.#to.receive(Buffer.concat([...this.#before, piece.wire]));
    });
  }

  #chunk({ bytes, last, wire }: Extract<Piece, { kind: "chunk" }>, at: number | undefined): void {
    this.#undelivered.push(bytes);
    this.#bytes += bytes.length;
    const part = this.#parts++;
    const offer = (): void =>
      this.#offer("c", part, () => {
        this.#undelivered.shift();
        this.keep(bytes, this.#step.run.journal.position - 1, at);
        if (last) this.#to.ended("complete");
        this.#to.receive(wire ?? (this.#framing.by === "chunks" ? chunkOf(bytes) : bytes));
      });
    if (last) this.#last(bytes, offer);
    else offer();
  }

  /**
   * Offers the last of the answer; where another thread reads the answer, behind that: the step is written when the agent gets it.
   * `bytes`: of the body, that come with it.
   */
  #last(bytes: Buffer | null, offer: () => void): void {
    if (!this.#step.run.hasReader || this.#bytes < LEAST_READ_ELSEWHERE) return offer();
    const readFirst = (): void => {
      const wait = guarded("finish", null, () => readAhead(this.#step, bytes));
      if (wait === null) offer();
      else void wait.then(offer);
    };
    if (this.#onTheWay === 0) readFirst();
    else this.#offerLast = readFirst;
  }

  #offer(kind: "h" | "c" | "e", part: number, deliver: () => void): void {
    this.#onTheWay++;
    this.#to.offer(kind, this.#step.index, part, () => {
      this.#onTheWay--;
      try {
        deliver();
      } finally {
        if (this.#onTheWay === 0) this.#beforeLast();
      }
    });
  }

  #beforeLast(): void {
    const offerLast = this.#offerLast;
    this.#offerLast = null;
    offerLast?.();
  }

  /** A 100 that was asked for is an operation of its own; others come with the head, and a replay has none. */
  #interim(status: number, wire: Buffer): void {
    const id = this.#continueId;
    if (status === 100 && id !== null) {
      this.#continueId = null;
      return this.#to.offer("o", id, 0, () => this.#to.receive(wire));
    }
    this.#step.lossy.push(`informational ${status}`);
    this.#before.push(wire);
  }

  #failing(error: Error, deliver: () => void): void {
    this.#headOrEnd(() => {
      this.#draft.error = recordWholeError(error, live);
      this.#to.ended("error");
      deliver();
    });
  }

  /** The head, or what comes instead of it; after the head, the end. */
  #headOrEnd(deliver: () => void): void {
    const kind = this.#headOffered ? "e" : "h";
    this.#headOffered = true;
    this.#offer(kind, 0, deliver);
  }
}

function sinceStart(step: OpenStep): number {
  return Math.round((originals.timeOrigin + originals.performanceNow() - step.started) * 100) / 100;
}
