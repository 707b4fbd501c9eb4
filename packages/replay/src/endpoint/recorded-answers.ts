import { isUtf8 } from "node:buffer";
import type { Operation, Scrubber } from "@reenact/capture";
import type { HeaderPairs, RecordedExchange } from "@reenact/envelope";
import { type Asked, readAsked } from "../match/asked.ts";
import { compare, type Comparison } from "../match/compare.ts";
import { sameContent } from "../match/content-keys.ts";
import type { Difference } from "../match/difference.ts";
import { recogniseCall } from "../match/recognise-call.ts";
import { recordedDigests, recordedUrl } from "../match/recorded-request.ts";
import { ValueAlignment } from "../match/value-alignment.ts";
import { recordedChunks } from "../tape/recorded-chunks.ts";
import { stepName } from "../tape/call-name.ts";
import type { RecordedStep, Tape } from "../tape/tape.ts";
import { originalsOf, tokensOfOtherKey, unsealed } from "../tape/tape-vault.ts";
import { isFromClient } from "./client-headers.ts";

/** A request that came to the endpoint. */
export interface EndpointRequest {
  readonly method: string;
  /** with its query */
  readonly path: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** A recorded call, for people. */
export interface NamedStep {
  /** from 1, by start */
  readonly step: number;
  /** `openai.chat` */
  readonly name: string;
}

/** One value of a request that the record has otherwise. */
export interface CallDifference {
  /** `URL`, `method`, `header`; null: in the body */
  readonly of: string | null;
  /** RFC 6901 */
  readonly pointer: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

export interface Served extends NamedStep {
  readonly found: true;
  readonly exchange: RecordedExchange;
  /** the body as the recorded program got it, cut where it was cut */
  readonly chunks: readonly Uint8Array[];
  /** what differs and changes nothing about which answer it gets: headers of the program, and the order of the calls */
  readonly differences: readonly CallDifference[];
  /** it came before a call that the recorded run had finished by then */
  readonly isEarly: boolean;
}

export interface NotServed {
  readonly found: false;
  /** `changed`: a call like it is recorded; `exhausted`: it was made more often than recorded; `unknown`: there is none like it */
  readonly why: "changed" | "exhausted" | "unknown";
  /** what it was recognised as; null: no call of a provider */
  readonly operation: string | null;
  readonly closest: NamedStep | null;
  readonly differences: readonly CallDifference[];
}

/** Answers requests from the record of one run, each recorded call once. */
export class RecordedAnswers {
  /** recorded calls of models that got an answer or an error, in their order */
  readonly calls: readonly RecordedStep[];
  readonly #tape: Tape;
  readonly #scrubber: Scrubber;
  readonly #alignment: ValueAlignment;
  readonly #served = new Set<RecordedStep>();

  constructor(tape: Tape, scrubber: Scrubber) {
    this.#tape = tape;
    this.#scrubber = scrubber;
    this.#alignment = this.#newAlignment();
    this.calls = tape.ordered.filter(
      ({ record: { exchange, op } }) =>
        (exchange?.response !== undefined || exchange?.error !== undefined) && !op.startsWith("http:"),
    );
  }

  /** Recorded calls that nobody has asked for. */
  get neverAsked(): NamedStep[] {
    return this.calls.filter((step) => !this.#served.has(step)).map(named);
  }

  /** How many redacted values were compared by their place only: another key made their tokens, or they are masks. */
  get byPlace(): number {
    return this.#alignment.byPlace;
  }

  /** Calls whose answers are served with tokens, since the vault does not open; why, and what to do. Null: none. */
  get withTokens(): { readonly calls: number; readonly problem: string; readonly next: string } | null {
    const { vault } = this.#tape;
    if (vault === undefined || originalsOf(this.#tape) !== null || !("problem" in vault)) return null;
    const inAnswer = ({ record: { redacted } }: RecordedStep): boolean =>
      redacted?.places?.some(({ at }) => at.startsWith("/response/")) ?? false;
    const calls = this.calls.filter(inAnswer).length;
    return calls === 0 ? null : { calls, problem: vault.problem, next: vault.next };
  }

  answer(request: EndpointRequest): Served | NotServed {
    const read = new Map<string, { asked: Asked; operation: Operation } | null>();
    const readFor = (step: RecordedStep): { asked: Asked; operation: Operation } | null => {
      const { origin } = new URL(recordedUrl(step));
      if (!read.has(origin)) read.set(origin, this.#read(request, origin));
      return read.get(origin) ?? null;
    };
    const alike = this.calls.filter((step) => readFor(step)?.operation.op === step.record.op);
    const equal = alike.filter((step) => sameContent(readFor(step)!.asked, step));
    for (const step of equal) {
      if (this.#served.has(step)) continue;
      const { asked, operation } = readFor(step)!;
      const differences = this.#differences(asked, step, operation, this.#alignment);
      if (differences.every(({ of }) => of === "header")) return this.#serve(step, differences);
    }
    const [first] = alike;
    if (first === undefined) return this.#unknown(request);
    const { operation } = readFor(first)!;
    const isRepeated = equal.length > 0 && equal.every((step) => this.#served.has(step));
    const closest = isRepeated ? equal.at(-1)! : this.#closest(alike, readFor(first)!.asked);
    const differences = this.#differences(readFor(closest)!.asked, closest, operation, this.#newAlignment());
    const why = isRepeated ? "exhausted" : "changed";
    return { found: false, why, operation: operation.op, closest: named(closest), differences: differences.map(plain) };
  }

  #newAlignment(): ValueAlignment {
    const alignment = new ValueAlignment(() => false);
    for (const [token, original] of tokensOfOtherKey(this.#tape, this.#scrubber))
      alignment.know(token, original, this.#scrubber);
    return alignment;
  }

  #serve(step: RecordedStep, differences: readonly Difference[]): Served {
    const isEarly = [...this.#served].some(({ started }) => (started ?? 0n) > (step.ended ?? step.started ?? 0n));
    this.#served.add(step);
    const whole = unsealed(step, this.#tape);
    const exchange = whole.record.exchange!;
    const chunks = recordedChunks(whole).map(({ bytes }) => bytes);
    return { found: true, ...named(step), exchange, chunks, differences: differences.map(plain), isEarly };
  }

  /** As it would be read if it had gone where the recorded ones went. */
  #read(
    { method, path, headers, body }: EndpointRequest,
    origin: string,
  ): { asked: Asked; operation: Operation } | null {
    // a path may begin with two slashes, which as a reference would name a host
    const url = URL.parse(path.startsWith("/") ? `${origin}${path}` : path, origin);
    if (url === null) return null;
    const text = isUtf8(body) ? Buffer.from(body).toString("utf8") : null;
    const operation = recogniseCall({ method, url, headers, body: text });
    if (operation === null) return null;
    // what is not compared is not counted as a value that was compared by its place either
    const compared = headers.filter(([name]) => /^content-type$/i.test(name) || !isFromClient(name.toLowerCase()));
    const content = { method, url: url.href, headers: compared, body: body.length === 0 ? null : (text ?? body) };
    return { asked: readAsked(content, operation, this.#scrubber), operation };
  }

  #differences(
    asked: Asked,
    step: RecordedStep,
    operation: Operation,
    alignment: ValueAlignment,
  ): Comparison["differences"] {
    const context = { alignment, scrubber: this.#scrubber, asRecorded: (text: string) => text, operation };
    return compare(asked, step, context).differences.filter(
      ({ of, pointer }) => of !== "header" || !isFromClient(pointer.slice(1)),
    );
  }

  /** The one that shares most messages with the request; of those the first that was not served. */
  #closest(alike: readonly RecordedStep[], { digests }: Asked): RecordedStep {
    const messages = new Set(digests.messages);
    const shared = (step: RecordedStep): number =>
      (recordedDigests(step)?.messages?.filter((each) => messages.has(each)).length ?? 0) +
      (this.#served.has(step) ? 0 : 0.5);
    return alike.reduce((best, step) => (shared(step) > shared(best) ? step : best));
  }

  #unknown({ method, path, headers, body }: EndpointRequest): NotServed {
    const text = isUtf8(body) ? Buffer.from(body).toString("utf8") : null;
    const url = URL.parse(path, "http://127.0.0.1");
    const operation = url === null ? null : recogniseCall({ method, url, headers, body: text });
    return { found: false, why: "unknown", operation: operation?.op ?? null, closest: null, differences: [] };
  }
}

const named = (step: RecordedStep): NamedStep => ({ step: step.index + 1, name: stepName(step) });

const plain = ({ of, pointer, recorded, now }: Difference): CallDifference => ({
  of: of ?? null,
  pointer,
  recorded,
  now,
});
