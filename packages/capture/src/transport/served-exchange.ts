import type { RecordedExchange } from "@reenact/envelope";
import { servedError } from "../source/served-value.ts";
import type { Answer, RecordedChunk } from "../source/answer.ts";
import { offerOpen } from "../span/offer-open.ts";
import type { OpenStep } from "../span/open-step.ts";
import type { ExchangeDraft } from "../span/step-content.ts";
import type { ExchangeSource } from "./exchange-source.ts";
import type { Head } from "./response.ts";

type Recorded = Extract<Answer, { from: "exchange" }>;

/** Serves a recorded exchange. All chunks are available at once; the gate schedules them. A part that the recorded agent never received is never delivered. */
export class ServedExchange implements ExchangeSource {
  readonly #step: OpenStep;
  readonly #draft: ExchangeDraft;
  readonly #exchange: RecordedExchange;
  readonly #chunks: RecordedChunk[];
  readonly #beyond: (() => Error) | undefined;
  readonly #isOpen: boolean;
  #parts = 0;

  constructor(
    step: OpenStep,
    draft: ExchangeDraft,
    { exchange, body, beyond, open = false }: Pick<Recorded, "exchange" | "body" | "beyond" | "open">,
  ) {
    this.#step = step;
    this.#draft = draft;
    this.#exchange = exchange;
    this.#chunks = body();
    this.#beyond = beyond;
    this.#isOpen = open;
  }

  head(dead: () => boolean, ok: (head: Head) => void, fail: (error: unknown) => void): void {
    const { response, error } = this.#exchange;
    if (response === undefined && error === undefined) {
      // the recorded agent never received it
      if (this.#isOpen) offerOpen(this.#step, 0);
      return;
    }
    this.#offer("h", 0, dead, () => {
      if (response === undefined) {
        this.#draft.error = error ?? null;
        return fail(servedError(error as NonNullable<typeof error>));
      }
      const head: Head = {
        status: response.status,
        statusText: response.reason,
        headers: response.headers,
        url: response.url ?? this.#exchange.request.url,
        redirected: response.redirected ?? false,
        type: response.type ?? "basic",
        hasBody: response.body !== undefined,
      };
      this.#draft.response = { ...head, reason: head.statusText, headers: response.headers };
      this.#step.run.retries.answered(this.#step);
      ok(head);
    });
  }

  next(
    dead: () => boolean,
    chunk: (bytes: Uint8Array<ArrayBuffer>) => void,
    end: () => void,
    fail: (error: unknown) => void,
  ): void {
    const part = this.#parts;
    const recorded = this.#chunks[part];
    if (recorded !== undefined) {
      this.#parts++;
      this.#offer("c", part, dead, () => {
        this.#draft.chunks.push(recorded.bytes);
        this.#draft.cuts.push([recorded.at, recorded.bytes.length, this.#step.run.journal.position - 1]);
        // a copy of its own: a byte stream detaches what it is handed
        chunk(new Uint8Array(recorded.bytes));
      });
      return;
    }
    const { error } = this.#exchange;
    const beyond = this.#beyond;
    if (this.#exchange.end === "error" && error !== undefined)
      this.#offer("e", 0, dead, () => {
        this.#draft.error = error;
        fail(servedError(error));
      });
    else if (this.#exchange.end === "complete") this.#offer("e", 0, dead, end);
    // cancelled, open, aborted: the recorded agent never got further; the gate reports one that waits here
    else if (beyond === undefined) this.#offer("e", 0, dead, end);
    else this.#offer("e", 0, dead, () => fail(beyond()));
  }

  stop(): void {}

  #offer(kind: "h" | "c" | "e", part: number, dead: () => boolean, fire: () => void): void {
    const { run, index, frame } = this.#step;
    run.source.gate.offer({ kind, id: index, part, scope: frame.scope, dead, referenced: () => true, fire });
  }
}
