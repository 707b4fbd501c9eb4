import { recordError } from "@reenact/envelope";
import type { HeldAnswer, SentRequest } from "../source/answer.ts";
import { decideHeld } from "../span/decide-held.ts";
import type { OpenStep } from "../span/open-step.ts";
import type { ExchangeDraft } from "../span/step-content.ts";
import type { ExchangeSource } from "./exchange-source.ts";
import { LiveExchange } from "./live-exchange.ts";
import type { OutgoingRequest } from "./request.ts";
import type { Head } from "./response.ts";
import type { SendRequest } from "./send-request.ts";
import { ServedExchange } from "./served-exchange.ts";

/** A request whose body is read before it is decided who answers it. Nothing is sent, and nothing is served, until then. */
export class HeldExchange implements ExchangeSource {
  readonly #step: OpenStep;
  readonly #draft: ExchangeDraft;
  readonly #held: HeldAnswer;
  readonly #request: OutgoingRequest;
  readonly #send: SendRequest;
  #source: ExchangeSource | null = null;

  constructor(step: OpenStep, draft: ExchangeDraft, held: HeldAnswer, request: OutgoingRequest, send: SendRequest) {
    this.#step = step;
    this.#draft = draft;
    this.#held = held;
    this.#request = request;
    this.#send = send;
  }

  head(
    dead: () => boolean,
    ok: (head: Head) => void,
    fail: (error: unknown) => void,
    resolve?: (value: never) => void,
  ): void {
    const failing = (error: unknown): void => this.#fail(dead, fail, error);
    Promise.resolve(this.#request.body).then((body) => {
      if (dead()) return;
      const failure = this.#request.failure?.() ?? null;
      if (failure !== null) return failing(failure.error);
      const { method, url, requestHeaders: headers, redirect, options } = this.#draft;
      const named = { ...(redirect !== undefined && { redirect }), ...(options !== undefined && { options }) };
      const source = this.#decided({ method, url, headers, body, ...named });
      if (source instanceof Error) return failing(source);
      this.#source = source;
      source.head(dead, ok, fail, resolve);
    }, failing);
  }

  next(...args: Parameters<ExchangeSource["next"]>): void {
    this.#source?.next(...args);
  }

  stop(why: unknown): void {
    this.#source?.stop(why);
  }

  #decided(content: SentRequest): ExchangeSource | Error {
    const answer = decideHeld(this.#step, this.#held, content);
    if (answer.from === "miss") return answer.error;
    if (answer.from === "exchange") return new ServedExchange(this.#step, this.#draft, answer);
    return new LiveExchange(this.#step, this.#draft, this.#request, this.#send, content.body ?? undefined);
  }

  #fail(dead: () => boolean, fail: (error: unknown) => void, error: unknown): void {
    const { run, index, frame } = this.#step;
    const fire = (): void => {
      this.#draft.error = recordError(error);
      fail(error);
    };
    const place = { kind: "h", id: index, part: 0, scope: frame.scope } as const;
    run.source.gate.offer({ ...place, dead, referenced: () => true, fire });
  }
}
