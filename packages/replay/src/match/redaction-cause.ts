import type { Scrubber } from "@reenact/capture";
import { findTokens, type JsonNode, parseJson } from "@reenact/envelope";
import { RULES } from "@reenact/redaction";
import { slotOf, type Tape, type TapedStep } from "../tape.ts";
import { type Difference, escaped } from "./difference.ts";

/** Where the agent first got a redacted value from. */
interface Origin {
  readonly token: string;
  readonly type: string;
  /** of the step that gave it; -1: it was there at the start */
  readonly index: number;
  /** in words */
  from(): string;
}

const AT_START = -1;

/**
 * Why a difference may be the work of redaction: it lies in a value that was redacted when recorded, or the agent has
 * computed it from one. Null where nothing points to that. Says step, place and rule, and what to do.
 */
export function redactionCause(
  difference: Difference,
  step: Pick<TapedStep, "index" | "record">,
  tape: Tape,
  scrubber: Pick<Scrubber, "kid">,
): string | null {
  const recorded = textOf(difference.recorded);
  const now = textOf(difference.now);
  const key = otherKey(step, scrubber);
  const [held] = [...findTokens(recorded), ...findTokens(now)];
  const origins = originsBefore(step.index, tape);
  if (held !== undefined) {
    const origin = origins.find(({ token }) => token === held.token);
    const place = origin === undefined ? "" : ` (it came from ${origin.from()})`;
    return `the value was redacted when recorded by ${ruleOf(held.type)}${place}${vaultAdvice(tape)}${key ?? ""}`;
  }
  const origin =
    origins.find(({ token }) => isDerived(recorded, now, token)) ?? (isBroken(recorded, now) ? origins[0] : undefined);
  return origin === undefined
    ? null
    : `${origin.from()} was redacted when recorded by ${ruleOf(origin.type)}, and this value seems to be computed from it: the code saw a token in its place. Record with a policy that keeps that value (paths.allow, or paths.shapes for its form)${vaultAdvice(tape)}${key ?? ""}`;
}

/**
 * A hint for what differs at the end of a run, where no request shows why: code that looks into a redacted value sees a
 * token in a replay. Empty where nothing that the agent was given was redacted.
 */
export function redactionHint(tape: Tape): string {
  const [origin] = originsBefore(Infinity, tape);
  return origin === undefined
    ? ""
    : `; ${origin.from()} was redacted when recorded by ${ruleOf(origin.type)}: code that looks into such a value sees a token in a replay${vaultAdvice(tape)}`;
}

/** Where the vault is open, the code has seen the originals. */
function vaultAdvice({ vault }: Tape): string {
  if (vault === undefined) return "";
  if ("originals" in vault) return "";
  return `; open the vault to replay exactly: ${vault.problem}. Next: ${vault.next}`;
}

function otherKey({ record }: Pick<TapedStep, "record">, { kid }: Pick<Scrubber, "kid">): string | null {
  const then = record.redacted?.kid;
  return then === undefined || then === kid
    ? null
    : `; this replay redacts with key ${kid}, the recording with ${then}: set REENACT_REDACTION_KEY to the key of the recording to compare by value`;
}

const MOST_RULES = 3;

function ruleOf(type: string): string {
  const ids = RULES.filter((rule) => rule.type === type).map(({ id }) => id);
  return ids.length === 0 || ids.length > MOST_RULES ? `a rule of type ${type}` : `rule ${ids.join(" or ")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : (JSON.stringify(value) ?? "");
}

const SHORTEST_PART = 3;

/** The part of now that differs is a part of the token, in any case: a slice, a last word, an upper-case form. */
function isDerived(recorded: string, now: string, token: string): boolean {
  const core = differingPart(recorded, now).toLowerCase();
  const whole = token.toLowerCase();
  return (core.length >= SHORTEST_PART && whole.includes(core)) || now.toLowerCase().includes(whole.slice(-16));
}

function differingPart(recorded: string, now: string): string {
  let from = 0;
  while (from < now.length && now[from] === recorded[from]) from++;
  let behind = 0;
  while (
    behind < Math.min(now.length, recorded.length) - from &&
    now[now.length - 1 - behind] === recorded[recorded.length - 1 - behind]
  )
    behind++;
  return now.slice(from, now.length - behind);
}

const NOTHING = /\b(?:undefined|null|NaN)\b/;
const DIGEST = /(?:[0-9a-f]{16,}|[A-Za-z0-9+/]{22,}={0,2})/;

/** The value of now is what code makes of a text that it cannot take apart; or both are digests of something. */
function isBroken(recorded: string, now: string): boolean {
  if (NOTHING.test(now) && !NOTHING.test(recorded)) return recorded !== "";
  const [was, is] = [DIGEST.exec(recorded)?.[0], DIGEST.exec(now)?.[0]];
  return was !== undefined && is !== undefined && was !== is && was.length === is.length;
}

/** Redacted values that the agent had been given before a step: by answers, by its input, by its environment. */
function originsBefore(index: number, tape: Tape): Origin[] {
  let all = originsOf.get(tape);
  if (all === undefined) originsOf.set(tape, (all = findOrigins(tape)));
  return all.filter((origin) => origin.index < index);
}

/** Found once for a recording: all answers are read for it. */
const originsOf = new WeakMap<Tape, Origin[]>();

/** Answers first: what an answer gave is more likely to be what the code has worked on. */
function findOrigins(tape: Tape): Origin[] {
  const given = new Map<string, Origin>();
  const atStart = new Map<string, Origin>();
  const add = (text: unknown, index: number, from: (pointer: string) => string): void => {
    if (typeof text !== "string") return;
    const found = index === AT_START ? atStart : given;
    for (const { token, type } of findTokens(text))
      if (!found.has(token)) found.set(token, { token, type, index, from: () => from(pointerOf(text, token)) });
  };
  for (const step of tape.ordered) {
    const { call, exchange } = step.record;
    const body = exchange?.response?.body;
    const answer = call?.result ?? call?.error ?? step.output ?? (body && "text" in body ? body.text : null);
    const what = `the ${call === undefined ? "answer" : "result"} of step ${step.index + 1} (${slotOf(step.record)})`;
    add(answer, step.index, (pointer) => (pointer === "" || call !== undefined ? what : `${what} at ${pointer}`));
  }
  add(tape.root.input, AT_START, () => "the input of the agent");
  for (const [name, value] of Object.entries(tape.root.environment ?? {}))
    add(value, AT_START, () => `variable ${name}`);
  return [...given.values(), ...atStart.values()];
}

/** Where a token stands in a JSON text; empty where the text is no JSON. */
function pointerOf(text: string, token: string): string {
  try {
    return find(parseJson(text), token, "") ?? "";
  } catch {
    return "";
  }
}

function find(node: JsonNode, token: string, at: string): string | null {
  if (node.type === "string") return node.value.includes(token) ? at : null;
  if (node.type === "array") {
    for (const [n, item] of node.items.entries()) {
      const found = find(item, token, `${at}/${n}`);
      if (found !== null) return found;
    }
  }
  if (node.type === "object") {
    for (const { key, value } of node.members) {
      const found = find(value, token, `${at}/${escaped(key)}`);
      if (found !== null) return found;
    }
  }
  return null;
}
