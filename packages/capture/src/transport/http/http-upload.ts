import { guarded } from "../../fault/faults.ts";
import type { OpenStep } from "../../span/open-step.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import type { DecidedAnswer, HeldAnswer, SentRequest } from "../../source/answer.ts";
import { decideHeld } from "../../span/decide-held.ts";
import { replaceRequest } from "../exchange-step.ts";
import type { WireHead } from "./http-head.ts";
import { writtenAddress } from "./http-request.ts";
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

  /**
   * The bytes have gone on: a whole request is passed to the source of the run, unless that had it from the start. `decided`: of a
   * held request, how it is answered.
   */
  sent(decided: (answer: DecidedAnswer, head: WireHead | null) => void): void {
    if (this.#state !== "whole") return;
    this.#state = "told";
    const { run, answer } = this.#step;
    const { method, url, requestHeaders: headers, requestBody } = this.#draft;
    const { body, head } = this.#message;
    this.#draft.requestBody = body;
    const content = { method, url, headers, body };
    if (answer.from === "held") return decided(this.#decide(answer, content), head);
    if (requestBody === undefined) guarded("http", undefined, () => run.source.late(this.#step, content));
    if (answer.from === "live") run.inFlight(this.#step);
  }

  #decide(held: HeldAnswer, content: SentRequest): DecidedAnswer {
    const { head } = this.#message;
    const written = head === null ? {} : writtenAddress(head, content.url);
    const answer = decideHeld(this.#step, held, { ...content, ...written });
    return answer.from === "live" ? replaceRequest(this.#draft, answer) : answer;
  }
}
