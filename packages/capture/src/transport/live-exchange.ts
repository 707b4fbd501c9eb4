import { isUint8Array } from "node:util/types";
import { recordWholeError } from "@reenact/envelope";
import { guarded } from "../fault/faults.ts";
import { readAhead } from "../redact/read-ahead.ts";
import { live } from "../run/context.ts";
import { originals } from "../patch/originals.ts";
import type { OpenStep } from "../span/open-step.ts";
import type { ExchangeDraft } from "../span/step-content.ts";
import { thenSeen } from "../patch/show-awaiter.ts";
import { replaceRequest } from "./exchange-step.ts";
import type { ExchangeSource } from "./exchange-source.ts";
import type { OutgoingRequest } from "./request.ts";
import { type Head, headOf } from "./response.ts";
import type { SendRequest, SentAnswer } from "./send-request.ts";
import { withinOrigin } from "./within-origin.ts";

/** How much of a refused answer is read on after the agent has dropped it: SDKs throw a retried body away unread. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 500;

type Chunk = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;

/** What `abort()` without a reason makes, made once: it takes longer than all else at the end of a stream. */
let unsaid: DOMException | undefined;

/** The network. Deliveries are offered to the gate as they arrive; the record is filled when they are delivered. */
export class LiveExchange implements ExchangeSource {
  readonly #step: OpenStep;
  readonly #draft: ExchangeDraft;
  readonly #abort = new AbortController();
  readonly #sent: Promise<SentAnswer>;
  #response: SentAnswer | null = null;
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null = null;
  /** a chunk that is read, or will be, and was not delivered */
  #unread: Promise<Chunk> | null = null;
  #parts = 0;

  /** `known`: the body of a request that was held until it was known. */
  constructor(
    step: OpenStep,
    draft: ExchangeDraft,
    request: OutgoingRequest,
    send: SendRequest,
    known?: string | Uint8Array,
  ) {
    this.#step = step;
    this.#draft = draft;
    const { body: instead, url, leaves } = step.answer.from === "live" ? replaceRequest(draft, step.answer) : {};
    // at once where nothing has to be read first: an error of `fetch` itself then has the program's stack
    this.#sent = live(async () => {
      const args = request.send(this.#abort.signal, instead ?? known, url);
      const [input, init] = args instanceof Promise ? await args : args;
      if (leaves === undefined || request.redirect !== undefined) return send(input, init);
      return request.dispatches
        ? send(input, { ...init, redirect: "manual" })
        : withinOrigin(send, leaves)(input, init);
    });
  }

  head(
    dead: () => boolean,
    ok: (head: Head) => void,
    fail: (error: unknown) => void,
    resolve?: (value: never) => void,
  ): void {
    const offer = (fire: () => void): void => this.#offer("h", 0, dead, fire);
    thenSeen(
      this.#sent,
      (response) => {
        this.#response = response;
        const head = headOf(response);
        offer(() => {
          this.#draft.response = { ...head, reason: head.statusText, headers: head.headers.map(([k, v]) => [k, v]) };
          this.#step.run.retries.answered(this.#step);
          ok(head);
        });
      },
      (error) =>
        offer(() => {
          this.#draft.error = recordWholeError(error, live);
          fail(error);
        }),
      resolve,
    );
  }

  next(
    dead: () => boolean,
    chunk: (bytes: Uint8Array<ArrayBuffer>) => void,
    end: () => void,
    fail: (error: unknown) => void,
  ): void {
    const failed = (error: unknown): void =>
      this.#offer("e", 0, dead, () => {
        this.#draft.error = recordWholeError(error, live);
        fail(error);
      });
    this.#unread = live(() => this.#read());
    this.#unread.then(({ done, value }) => {
      if (done) return this.#end(dead, end);
      // the error of reading such a stream
      if (!isUint8Array(value)) return failed(new TypeError("Received non-Uint8Array chunk"));
      this.#offer("c", this.#parts++, dead, () => {
        this.#unread = null;
        this.#keep(value, this.#step.run.journal.position - 1);
        // another copy: the bytes are their source's own, which may hand them out again
        chunk(new Uint8Array(value));
      });
    }, failed);
  }

  stop(why: unknown): void {
    const response = this.#response;
    if (response !== null && response.status >= 400) {
      live(() => void this.#drain(why));
      return;
    }
    live(() => {
      // not the agent's own reason: Node's fetch gives what it rejects with another stack
      this.#abort.abort((unsaid ??= new DOMException("This operation was aborted", "AbortError")));
      this.#sent
        .then(
          (r) => (this.#reader ?? r.body)?.cancel(why),
          () => {},
        )
        .catch(() => {});
    });
  }

  /** The answer has come whole. Its step is written when the agent gets the end: that waits for the thread that reads it. */
  #end(dead: () => boolean, end: () => void): void {
    const offer = (): void => this.#offer("e", 0, dead, end);
    const wait = dead() ? null : guarded("finish", null, () => readAhead(this.#step));
    if (wait === null) offer();
    else void wait.then(offer);
  }

  #offer(kind: "h" | "c" | "e", part: number, dead: () => boolean, fire: () => void): void {
    const { run, index, frame } = this.#step;
    run.source.gate.offer({ kind, id: index, part, scope: frame.scope, dead, referenced: () => true, fire });
  }

  #read(): Promise<Chunk> {
    this.#reader ??= this.#response?.body?.getReader() ?? null;
    if (this.#reader === null) throw new Error("an answer without a body is read");
    return this.#reader.read();
  }

  /** A copy: a byte stream detaches the chunk that it is handed. */
  #keep(bytes: Uint8Array, position: number): void {
    if (this.#step.state === "ended") return;
    this.#step.run.received(bytes.length);
    this.#draft.chunks.push(Buffer.from(bytes));
    this.#draft.cuts.push([sinceStart(this.#step), bytes.length, position]);
  }

  async #drain(why: unknown): Promise<void> {
    const stop = originals.setTimeout(() => void this.#reader?.cancel(why).catch(() => {}), DRAIN_MS);
    stop.unref();
    try {
      for (let n = 0; n < DRAIN_BYTES;) {
        const { done, value } = await (this.#unread ?? this.#read());
        this.#unread = null;
        if (done) break;
        n += value.length;
        this.#keep(value, -1);
      }
    } catch {
      // what was read is kept
    }
    originals.clearTimeout(stop);
    this.#abort.abort(why);
    this.#step.run.closed(this.#step);
  }
}

function sinceStart(step: OpenStep): number {
  return Math.round((originals.timeOrigin + originals.performanceNow() - step.started) * 100) / 100;
}
