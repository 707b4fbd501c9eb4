import {
  type Content,
  type Operation,
  type Scrubber,
  type SentRequest,
  digestsOf,
  mimeOf,
  scrubTyped,
  Tally,
} from "@reenact/capture";
import {
  decodeValue,
  digestRequest,
  findTokens,
  parseJson,
  renameTokens,
  type RequestDigests,
  textOf,
} from "@reenact/envelope";
import type { TokenAlignment } from "@reenact/redaction";
import { firstDifference, type Difference } from "./first-difference.ts";
import { bytesOf } from "./recorded-chunks.ts";
import type { TapedStep } from "./tape.ts";
import type { CallVerdict } from "./verdict.ts";

/** A request of the running agent, scrubbed and digested as the recorder would. */
export interface Asked {
  /** redacted; empty for a function */
  readonly url: string;
  readonly text: string | null;
  /** of a body that is no text */
  readonly bytes?: Uint8Array;
  readonly digests: RequestDigests;
  readonly redacted: boolean;
}

export interface Comparison {
  readonly verdict: Extract<CallVerdict, "exact" | "equivalent" | "params" | "system" | "history" | "changed">;
  readonly difference: Difference | null;
  /** what differs and is not compared, in words */
  readonly ignored: string[];
}

export function isRequest(content: Content): content is SentRequest {
  return "method" in content;
}

export function readAsked(content: Content, operation: Operation | null, scrubber: Scrubber): Asked {
  if (!isRequest(content)) {
    const text = scrubTyped(scrubber, content.args, new Tally());
    return {
      url: "",
      text,
      digests: digestRequest({ text, mime: "application/json" }, null),
      redacted: text !== content.args,
    };
  }
  const url = scrubUrl(scrubber, content.url);
  const mime = mimeOf(content.headers);
  const raw =
    content.body === null ? "" : typeof content.body === "string" ? content.body.toWellFormed() : textOf(content.body);
  if (raw === null) {
    const latin = Buffer.from(content.body as Uint8Array).toString("latin1");
    const scrubbed = scrubber.scrub(latin, { mime });
    const bytes = scrubbed.edits.length === 0 ? (content.body as Uint8Array) : Buffer.from(scrubbed.text, "latin1");
    const redacted = scrubbed.edits.length > 0;
    return { url, text: null, bytes, digests: digestsOf(operation, null, bytes, mime), redacted };
  }
  const { text, edits } = scrubber.scrub(raw, { mime });
  return {
    url,
    text: content.body === null ? null : text,
    digests: digestsOf(operation, content.body === null ? null : text, null, mime),
    redacted: edits.length > 0,
  };
}

/** As the recorder does it. */
export function scrubUrl(scrubber: Scrubber, url: string): string {
  return scrubber.scrub(url, { key: "url" }).text;
}

/** Path and query. The host is in the slot, but for calls of a model, which may go to another one with every set-up. */
const targetOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? url;
const hostOf = (url: string): string => /^[a-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
const recordedUrl = (step: TapedStep): string => step.record.exchange?.request.url ?? "";

/** Digests of a recorded step, for a function step those of its arguments. */
export function recordedDigests(step: TapedStep): RequestDigests | null {
  if (step.record.digests !== undefined) return step.record.digests;
  const { call } = step.record;
  return call === undefined ? null : digestRequest({ text: call.args, mime: "application/json" }, null);
}

export function recordedText(step: TapedStep): string | null {
  return step.record.call?.args ?? step.input;
}

/** Texts of which two contents share one exactly if they are the same: URL and whole body, or URL and all dimensions. */
export function contentKeys(of: Asked | TapedStep): string[] {
  const digests = "digests" in of ? of.digests : recordedDigests(of);
  if (digests === null) return [];
  const { body, model, params, system, tools, messages } = digests;
  const target = renameTokens(targetOf("url" in of ? of.url : recordedUrl(of)));
  const whole = body === undefined ? [] : [`body ${target} ${body}`];
  return messages === undefined
    ? whole
    : [...whole, `dimensions ${target} ${JSON.stringify([model, params, system, tools, messages])}`];
}

export function sameContent(asked: Asked, step: TapedStep): boolean {
  if (renameTokens(targetOf(recordedUrl(step))) !== renameTokens(targetOf(asked.url))) return false;
  return recordedDigests(step)?.body === asked.digests.body || sameDimensions(asked.digests, recordedDigests(step));
}

/** All dimensions equal; where there are none, the whole body. */
function sameDimensions(a: RequestDigests, b: RequestDigests | null): boolean {
  if (b === null) return false;
  if (a.messages === undefined || b.messages === undefined) return a.body === b.body;
  return (
    a.model === b.model &&
    a.params === b.params &&
    a.system === b.system &&
    a.tools === b.tools &&
    a.messages.length === b.messages.length &&
    a.messages.every((m, i) => m === b.messages?.[i])
  );
}

export function compare(asked: Asked, step: TapedStep, alignment: TokenAlignment): Comparison {
  const [there, here] = [targetOf(recordedUrl(step)), targetOf(asked.url)];
  if (!alignment.align(there, here).ok)
    return { verdict: "changed", difference: { of: "URL", pointer: "", recorded: there, now: here }, ignored: [] };
  const found = compareBodies(asked, step, alignment);
  const [host, hostNow] = [hostOf(recordedUrl(step)), hostOf(asked.url)];
  return alignment.align(host, hostNow).ok
    ? found
    : { ...found, ignored: [...found.ignored, `${step.record.op} goes to ${hostNow}, and went to ${host}`] };
}

function compareBodies(asked: Asked, step: TapedStep, alignment: TokenAlignment): Comparison {
  const before = recordedText(step);
  const recorded = recordedDigests(step);
  const equalBytes = asked.text === before && (asked.text !== null || asked.digests.body === recorded?.body);
  const tokens = Object.keys(step.record.redacted?.counts ?? {}).length > 0 || asked.redacted;
  const aligned = asked.text === null || before === null ? { ok: true as const } : alignment.align(before, asked.text);
  // equal literals and tokens one to one: equal values, even where one of them has two names now
  if (aligned.ok && asked.text !== null && before !== null)
    return { verdict: equalBytes && !tokens ? "exact" : "equivalent", difference: null, ignored: [] };
  if (recorded === null || sameDimensions(asked.digests, recorded)) {
    if (!aligned.ok && isValue(aligned))
      return {
        verdict: "changed",
        difference: {
          pointer: pointerOf(before ?? "", asked.text ?? "") ?? "",
          recorded: aligned.recorded,
          now: aligned.now,
        },
        ignored: [],
      };
    if (equalBytes && !tokens) return { verdict: "exact", difference: null, ignored: [] };
    return {
      verdict: "equivalent",
      difference: null,
      ignored: aligned.ok ? [] : [`step ${step.index + 1} differs in fields that are not compared`],
    };
  }
  if (isTelemetry(step)) {
    const ignored = [`what step ${step.index + 1} sends as telemetry is other than was recorded`];
    return { verdict: "equivalent", difference: null, ignored };
  }
  const difference =
    before === null || asked.text === null
      ? differenceOfBytes(step, asked)
      : step.record.call === undefined
        ? firstDifference(before, asked.text)
        : differenceOfValues(before, asked.text);
  return { verdict: classOf(asked.digests, recorded), difference, ignored: [] };
}

/**
 * Where OTLP, Sentry, Datadog, LangSmith, Langfuse and PostHog are sent to, and what stands in each such body that is text: a
 * program's own API may have such a path too, and what it is told is compared.
 */
const TELEMETRY: readonly (readonly [path: RegExp, mark: string])[] = [
  [/\/v1\/(?:traces|metrics|logs)(?:\?|$)/, '"resource'],
  [/\/api\/\d+\/(?:envelope|store)\/?\?.*\bsentry_/, ""],
  [/\/v0\.\d\/(?:traces|stats|config)$/, '"client"'],
  [/\/telemetry\/proxy\//, '"api_version"'],
  [/\/runs\/(?:batch|multipart)$/, "dotted_order"],
  [/\/api\/public\/ingestion$/, '"batch"'],
  [/\/i\/v0\/e\/?(?:\?|$)/, '"distinct_id"'],
];

/** What is told of the run is another with every span that an edit adds, and nothing of the agent follows from it. */
function isTelemetry({ record: { exchange }, input }: TapedStep): boolean {
  if (exchange === undefined || !exchange.request.method.startsWith("P")) return false;
  const { url } = exchange.request;
  return TELEMETRY.some(([path, mark]) => path.test(url) && (input === null || input.includes(mark)));
}

/** Of two bodies, one of which is no text: how long each is, and from where on they differ. */
function differenceOfBytes(step: TapedStep, { text, bytes }: Asked): Difference | null {
  const body = step.record.exchange?.request.body;
  const recorded = body === undefined ? Buffer.alloc(0) : bytesOf(step, body);
  const now = bytes ?? Buffer.from(text ?? "");
  const shorter = Math.min(recorded.length, now.length);
  let at = 0;
  while (at < shorter && recorded[at] === now[at]) at++;
  if (at === shorter && recorded.length === now.length) return null;
  const say = ({ length }: Uint8Array): string =>
    length === 0 ? "nothing" : `${length} bytes, different from byte ${at} on`;
  return { pointer: "", recorded: say(recorded), now: say(now) };
}

/** Of two argument lists in their typed encoding: a place in the values where JSON can show it, else in the encoding. */
function differenceOfValues(recorded: string, now: string): Difference | null {
  const [a, b] = [recorded, now].map((text) => {
    try {
      return JSON.stringify(decodeValue(text));
    } catch {
      return undefined;
    }
  });
  return (a === undefined || b === undefined ? null : firstDifference(a, b)) ?? firstDifference(recorded, now);
}

/** Two values were taken for one; else fields that are in no key differ. */
function isValue({ recorded, now }: { recorded: string; now: string }): boolean {
  const whole = (text: string): boolean =>
    text === "" || (findTokens(text).length === 1 && findTokens(text)[0]?.token === text);
  return whole(recorded) && whole(now);
}

/** Which dimension is to blame. Older messages that differ under the same last one are `history`. */
function classOf(now: RequestDigests, then: RequestDigests): Comparison["verdict"] {
  const a = now.messages;
  const b = then.messages;
  if (a === undefined || b === undefined) return "changed";
  const sameMessages = a.length === b.length && a.every((m, i) => m === b[i]);
  if (!sameMessages) return a.length > 1 && b.length > 1 && a.at(-1) === b.at(-1) ? "history" : "changed";
  if (now.system !== then.system) return "system";
  if (now.tools !== then.tools) return "changed";
  return "params";
}

function pointerOf(before: string, now: string): string | null {
  try {
    parseJson(before);
    return firstDifference(before, now)?.pointer ?? null;
  } catch {
    return null;
  }
}
