import { asJson, type Ask, type Failure } from "@reenact/wire";
import type { Answer } from "../../examples/scripted-provider/answer.ts";
import { repeat } from "../../examples/scripted-provider/provider.ts";
import { echoRandom } from "./echo-random.ts";
import { atOnce, burst, cutAfter, gzipped, hang, ragged, reset, stall } from "./faults.ts";
import { sampleOf } from "./sample.ts";

const RATE_LIMIT: Failure = { status: 429, type: "rate_limit_error", message: "slow down" };
const SERVER: Failure = { status: 500, type: "server_error", message: "something broke" };
const INVALID: Failure = { status: 400, type: "invalid_request_error", message: "that is no request" };
const OVERLOADED: Failure = { status: 529, type: "overloaded_error", message: "overloaded" };

const LETTERS = "Grüße, 世界 🌍, fin. ";

function askedSchema(ask: Ask): unknown {
  const chat = asJson(asJson(ask.body["response_format"])["json_schema"])["schema"];
  const responses = asJson(asJson(ask.body["text"])["format"])["schema"];
  const output = asJson(ask.body["output_config"])["format"] ?? ask.body["output_format"];
  return chat ?? responses ?? asJson(output)["schema"];
}

/** Asks for every tool that is offered, twice for the first one, then repeats what they said. */
function useTools(ask: Ask): Answer {
  if (ask.results.length > 0) return repeat(ask);
  const [first] = ask.tools;
  const offers = first === undefined ? [] : [first, ...ask.tools];
  const calls = offers.map((tool, at) => ({
    name: tool.name,
    args: asJson(sampleOf(tool.schema, `${ask.serial}-${at}`)),
  }));
  return { text: "Let me look.", calls };
}

/** A reason phrase of UTF-8 bytes: Node writes headers as Latin-1. */
function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** `[[sleep=20]]` in the last message: so many milliseconds before the head. */
function firstPause(ask: Ask): number {
  return Number(/\[\[sleep=(\d+)\]\]/.exec(ask.lastUser)?.[1] ?? 0);
}

/** What a behaviour does, by its name: `scn-<name>` as the model, or `[[<name>]]` in the last message. */
export const BEHAVIOURS: Readonly<Record<string, (ask: Ask) => Answer>> = {
  ok: (ask) => ({ ...repeat(ask), pace: { first: firstPause(ask) } }),
  "400": () => ({ failure: INVALID }),
  "429-then-ok": (ask) =>
    ask.attempt % 2 === 0 ? { failure: RATE_LIMIT, headers: { "retry-after-ms": "20" } } : repeat(ask),
  "429-backoff": (ask) => (ask.attempt % 2 === 0 ? { failure: RATE_LIMIT } : repeat(ask)),
  "500x3": () => ({ failure: SERVER, headers: { "retry-after-ms": "10" } }),
  "500-at-once": () => ({ failure: SERVER, deliver: atOnce }),
  reset: () => ({ deliver: reset }),
  "reset-then-ok": (ask) => (ask.attempt % 2 === 0 ? { deliver: reset } : repeat(ask)),
  cut: (ask) => ({ ...repeat(ask), deliver: cutAfter(0.5) }),
  "cut-early": (ask) => ({ ...repeat(ask), deliver: cutAfter(0.01) }),
  slow: () => ({ deliver: hang }),
  stall: (ask) => ({ ...repeat(ask), deliver: stall }),
  "odd-status": (ask) => ({ ...repeat(ask), status: 299, reason: utf8("Très bien ✓") }),
  "odd-reason": (ask) => ({ ...repeat(ask), reason: "" }),
  "status-600": (ask) => ({ ...repeat(ask), status: 600, reason: "Beyond" }),
  "stream-slow": (ask) => ({ text: `${"more ".repeat(200)}(${ask.serial})`, pieces: 200, pace: { each: 25 } }),
  n: (ask) => ({ text: Array.from({ length: Number(ask.body["n"] ?? 1) }, (_, at) => `choice ${at} (${ask.serial})`) }),
  /** each answer names a model of its own */
  "other-model": (ask) => ({ ...repeat(ask), model: `${ask.model}-${ask.serial}` }),
  tools: useTools,
  thinking: (ask) => ({ ...repeat(ask), thinking: `They want something. I think about it (${ask.serial}).` }),
  "thinking-tools": (ask) => ({ ...useTools(ask), thinking: `Which tool? (${ask.serial})` }),
  "error-event": (ask) => ({ ...repeat(ask), interrupt: OVERLOADED }),
  parse: (ask) => ({ text: JSON.stringify(sampleOf(askedSchema(ask), ask.serial)) }),
  gzip: (ask) => ({ ...repeat(ask), deliver: gzipped }),
  ragged: (ask) => ({ text: `${LETTERS.repeat(8)}(${ask.serial})`, deliver: ragged(40) }),
  burst: (ask) => ({ ...repeat(ask), deliver: burst }),
  /** more than the recorder's thread reads by itself, and less than it leaves for later */
  middle: (ask) => ({ text: `${"Write to jo@example.com. ".repeat(1200)}(${ask.serial})`, pieces: 20 }),
  big: (ask) => ({ text: `${"All work and no play. ".repeat(5000)}(${ask.serial})`, pieces: 50 }),
  "echo-random": echoRandom,
};

/**
 * Behaviours by model or by marker; the marker holds for echo-random too, so that a random program can have
 * a cut stream or a refused first try. `undefined` for a plain answer.
 */
export function behave(ask: Ask): Answer | undefined {
  const marked = Array.from(ask.lastUser.matchAll(/\[\[([a-z0-9-]+)\]\]/g), (match) => match[1] ?? "");
  const named = /^(?:scn-)?(.+)$/.exec(ask.model)?.[1] ?? "";
  for (const name of [...marked, named]) {
    const behaviour = Object.hasOwn(BEHAVIOURS, name) ? BEHAVIOURS[name] : undefined;
    if (behaviour === undefined) continue;
    const answer = behaviour(ask);
    if (named !== "echo-random" || name === "echo-random" || answer.failure !== undefined) return answer;
    return { ...echoRandom(ask), ...(answer.deliver === undefined ? {} : { deliver: answer.deliver }) };
  }
  return undefined;
}
