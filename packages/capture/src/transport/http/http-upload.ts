import { guarded } from "../../fault/faults.ts";
import type { OpenStep } from "../../span/open-step.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import { SentMessage } from "./http-sent.ts";

/** Watches one request go out: its head as written, and its body once it is whole. */
export class Upload {
  readonly #step: OpenStep;
  readonly #draft: ExchangeDraft;
  readonly #message = new SentMessage();
  #state: "head" | "body" | "whole" | "told" = "head";

  constructor(step: OpenStep, draft: ExchangeDraft) {
    this.#step = step;
    this.#draft = draft;
  }

  /** Returns true at the write after which the request waits for a 100. */
  write(bytes: Buffer): boolean {
    const whole = guarded("http", false, () => this.#message.feed(bytes));
    const { head } = this.#message;
    const first = this.#state === "head" && head !== null;
    if (first) {
      this.#state = "body";
      this.#draft.requestHeaders = head.headers;
    }
    if (whole) this.#state = "whole";
    return first && this.#message.expectsContinue;
  }

  /** The bytes have gone on: a whole request is passed to the source, unless the source had it from the start. */
  sent(): void {
    if (this.#state !== "whole") return;
    this.#state = "told";
    const { run } = this.#step;
    const { method, url, requestHeaders: headers, requestBody } = this.#draft;
    const { body } = this.#message;
    this.#draft.requestBody = body;
    if (requestBody === undefined)
      guarded("http", undefined, () => run.source.late(this.#step, { method, url, headers, body }));
    if (this.#step.answer.from === "live") run.inFlight(this.#step);
  }
}
