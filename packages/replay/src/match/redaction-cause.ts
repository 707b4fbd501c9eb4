import type { Scrubber } from "@reenact/capture";
import { live } from "@reenact/capture/recorder";
import { decodeValue, findTokens, type JsonNode, parseJson, renameTokens, type TokenHit } from "@reenact/envelope";
import { PERSONAL_TYPES, RULES } from "@reenact/redaction";
import type { Tape, RecordedStep } from "../tape/tape.ts";
import { type Difference, escaped } from "./difference.ts";
import { valuesInClear } from "./clear-values.ts";
import { SHORTEST_OWN_SECRET } from "./own-secrets.ts";

/** Where the agent first got a redacted value from. */
interface Origin {
  readonly token: string;
  readonly type: string;
  /** of the step that gave it; -1: it was there at the start */
  readonly index: number;
  /** what was redacted, in words */
  readonly what: string;
  /** the variable of the environment that holds it */
  readonly variable?: string;
  /** where in it; empty where no place can be named */
  pointer(): string;
}

const AT_START = -1;

/**
 * Why a difference may be the work of redaction: it lies in a value that was redacted when recorded, or the agent has
 * computed it from one. Null where nothing points to that. Says step, place and rule, and what to do.
 */
export function redactionCause(
  difference: Difference,
  step: Pick<RecordedStep, "index" | "record">,
  tape: Tape,
  scrubber: Pick<Scrubber, "kid">,
): string | null {
  const recorded = textOf(difference.recorded);
  const now = textOf(difference.now);
  const key = otherKey(step, scrubber);
  const origins = originsBefore(step.index, tape).filter(({ type }) => !isOpen(tape) || isSecret(type));
  // a token of now alone that nothing gave stands for a value that the code has made: it was not redacted when recorded
  const isGiven = (of: string): boolean => origins.some(({ token }) => token === of);
  const held = findTokens(recorded)[0] ?? findTokens(now).find(({ token }) => isGiven(token));
  const advice = (from: readonly Pick<Origin, "type" | "variable">[]): string => `${adviceFor(from, tape)}${key ?? ""}`;
  if (held !== undefined) {
    if (key === null && origins.length === 0 && isAnotherToken(recorded, now))
      return "the value is redacted, and another one than recorded";
    const what = whatWasRedacted(held, origins);
    // the code saw the value itself, and now has another one
    if (isOpen(tape) && !isSecret(held.type)) return key === null ? null : what.text + key;
    return `${what.text}${advice([what.of])}`;
  }
  const origin =
    origins.find(({ token }) => isDerived(recorded, now, token)) ?? (isBroken(recorded, now) ? origins[0] : undefined);
  if (origin !== undefined)
    return `${wasRedacted([origin])}, and this value seems to be computed from it: the code saw a token in its place${advice([origin])}`;
  // nothing points to redaction, but the code may have computed the value from an original that only a vault holds
  const sealed = origins.filter(({ type }) => !isSecret(type));
  if (sealed.length === 0 || !isVaultClosed(tape)) return null;
  const last = nearest(sealed);
  return `${wasRedacted(last)}, and this value may be computed from that: the code saw tokens${advice(last)}`;
}

/**
 * A hint for what differs at the end of a run, where no request shows why: code that looks into a redacted value sees a
 * token in a replay. Empty where nothing that the agent was given was redacted, or where it saw the originals.
 */
export function redactionHint(tape: Tape): string {
  const origins = originsBefore(Infinity, tape);
  if (origins.length === 0 || (tape.vault !== undefined && !isVaultClosed(tape))) return "";
  const last = nearest(origins);
  return `; ${wasRedacted(last)}: code that looks into such a value sees a token in a replay${adviceFor(last, tape)}`;
}

/**
 * Why two texts differ that the run left behind, where that is the work of redaction beyond doubt: one shows tokens where the other has
 * values, or a part of a token. Null: nothing points to that.
 */
export function shownRedaction(
  difference: { readonly recorded: unknown; readonly now: unknown },
  tape: Tape,
  translate: (token: string) => string,
): string | null {
  const { recorded, now } = difference;
  if (typeof recorded !== "string" || typeof now !== "string") return null;
  const origins = originsBefore(Infinity, tape);
  const shown = new Set<string>();
  const isValue = (token: string): boolean => origins.some((origin) => origin.token === token) && !!shown.add(token);
  const found = valuesInClear(recorded, now, { translate, isValue });
  const origin =
    found !== null && found > 0
      ? origins.find(({ token }) => shown.has(token))
      : findTokens(recorded).length + findTokens(now).length > 0
        ? undefined
        : origins.find(({ token }) => isDerived(recorded, now, token));
  if (origin === undefined) return null;
  const how = shown.size > 0 ? "the code shows it, and was given a token" : "the code works on it, and saw a token";
  return `${wasRedacted([origin])}: ${how} in this replay${adviceFor([origin], tape)}`;
}

const isOpen = ({ vault }: Tape): boolean => vault !== undefined && "originals" in vault;

/** What no vault holds. */
const isSecret = (type: string): boolean => !(PERSONAL_TYPES as readonly string[]).includes(type);

const isVaultClosed = ({ vault }: Tape): boolean => vault !== undefined && "problem" in vault;

const POLICY = "record with a policy that keeps that value (paths.allow, or paths.shapes for its form)";

function whatWasRedacted(held: TokenHit, origins: readonly Origin[]): { text: string; of: Origin | TokenHit } {
  const origin = origins.find(({ token }) => token === held.token);
  return origin === undefined
    ? { text: `the value was redacted when recorded by ${ruleOf(held.type)}`, of: held }
    : { text: wasRedacted([origin]), of: origin };
}

/** Whether two texts are equal but for their tokens, which are of the same types. The same key has made them. */
function isAnotherToken(recorded: string, now: string): boolean {
  return findTokens(recorded).length > 0 && recorded !== now && renameTokens(recorded) === renameTokens(now);
}

/** How the code gets the values themselves. */
function adviceFor(origins: readonly Pick<Origin, "type" | "variable">[], { vault }: Tape): string {
  const areVariables = origins.length > 0 && origins.every(({ variable }) => variable !== undefined);
  if (areVariables && origins.every(({ type }) => isSecret(type)))
    return `; set ${origins.length === 1 ? "it" : "them"} here, so that the code sees a value of its own`;
  if (vault === undefined) return `; ${POLICY}`;
  if ("originals" in vault) return `; the vault does not hold this one, as it holds no secret: ${POLICY}`;
  if (origins.length > 0 && origins.every(({ type }) => isSecret(type)))
    return `; a vault would not hold this one, as it holds no secret: ${POLICY}`;
  return `; open the vault to replay exactly: ${vault.problem}. Next: ${vault.next}; or ${POLICY}`;
}

const MOST_PLACES = 3;

/** The values of the last step that gave some, first of each place. */
function nearest(origins: readonly Origin[]): Origin[] {
  const last = origins.reduce((most, { index }) => Math.max(most, index), AT_START);
  return origins.filter(({ index }) => index === last).slice(0, MOST_PLACES);
}

/** `origins` are of one step. */
function wasRedacted(origins: readonly Origin[]): string {
  const places = origins.map((origin) => {
    const pointer = origin.pointer();
    return `${pointer === "" ? "" : `at ${pointer} `}by ${ruleOf(origin.type)}`;
  });
  return `${origins[0]?.what} was redacted ${[...new Set(places)].join(", ")}`;
}

function otherKey({ record }: Pick<RecordedStep, "record">, { kid }: Pick<Scrubber, "kid">): string | null {
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
const HEX = /^(?:sha\d{1,3}[-:=])?([0-9a-f]+)$/i;
const BASE64 = /^(?:sha\d{1,3}[-:=])?([A-Za-z0-9+/_-]+={0,2})$/i;
/** Bytes of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512. */
const DIGEST_BYTES = new Set([16, 20, 28, 32, 48, 64]);

/** The value of now is what code makes of a text that it cannot take apart; or both are digests of something. */
function isBroken(recorded: string, now: string): boolean {
  if (NOTHING.test(now) && !NOTHING.test(recorded)) return recorded !== "";
  return recorded !== now && recorded.length === now.length && isDigest(recorded) && isDigest(now);
}

function isDigest(text: string): boolean {
  const [, hex] = HEX.exec(text) ?? [];
  if (hex !== undefined && DIGEST_BYTES.has(hex.length / 2)) return true;
  const [, base64] = BASE64.exec(text) ?? [];
  return base64 !== undefined && DIGEST_BYTES.has(Buffer.from(base64, "base64").length) && /[0-9+/=]/.test(base64);
}

/** Redacted values that the agent had been given before a step: by answers, by its input, by its environment. */
function originsBefore(index: number, tape: Tape): Origin[] {
  let all = originsOf.get(tape);
  if (all === undefined) originsOf.set(tape, (all = findOrigins(tape)));
  return all.filter((origin) => origin.index < index);
}

interface Source {
  /** whether the text is the encoding of a value */
  readonly typed?: boolean;
  readonly variable?: string;
}

/** Found once for a recording: all answers are read for it. */
const originsOf = new WeakMap<Tape, Origin[]>();

/** Answers first: what an answer gave is more likely to be what the code has worked on. */
function findOrigins(tape: Tape): Origin[] {
  const given = new Map<string, Origin>();
  const atStart = new Map<string, Origin>();
  const add = (text: unknown, index: number, what: string, { typed = false, variable }: Source = {}): void => {
    if (typeof text !== "string") return;
    const found = index === AT_START ? atStart : given;
    for (const { token, type } of findTokens(text))
      if (!found.has(token))
        found.set(token, {
          token,
          type,
          index,
          what,
          ...(variable === undefined ? {} : { variable }),
          pointer: () => pointerOf(typed ? plain(text) : text, token),
        });
  };
  for (const step of tape.ordered) {
    const answer = `step ${step.index + 1}'s answer`;
    for (const { text, typed } of answersOf(step)) add(text, step.index, answer, { typed });
    for (const [name, text] of step.record.exchange?.response?.headers ?? [])
      add(text, step.index, `header ${name} of ${answer}`);
  }
  add(tape.root.input, AT_START, "the input of the agent", { typed: true });
  for (const [name, value] of Object.entries(tape.root.environment ?? {}))
    if (!isOwnSecret(name, value)) add(value, AT_START, `variable ${name}`, { variable: name });
  return [...given.values(), ...atStart.values()];
}

/** The texts that a step gave to the agent. */
function answersOf({ record: { call, exchange }, output }: RecordedStep): { text: unknown; typed: boolean }[] {
  const body = exchange?.response?.body;
  const typed = call?.result ?? call?.error;
  const answer = typed ?? output ?? (body && "text" in body ? body.text : null);
  const yields = call?.yields ?? [];
  return [{ text: answer, typed: typed !== undefined }, ...yields.map((text) => ({ text, typed: true }))];
}

/** Whether a variable holds a secret of this machine: that is what the code sees, as long as it is no short one. */
function isOwnSecret(name: string, recorded: unknown): boolean {
  const own = live(() => process.env[name]);
  return own !== undefined && own !== recorded && own.length >= SHORTEST_OWN_SECRET;
}

/** The JSON of a typed value; the encoding itself where it has none. */
function plain(text: string): string {
  try {
    return JSON.stringify(decodeValue(text)) ?? text;
  } catch {
    return text;
  }
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
