import type { Content, SentRequest, Step } from "@reenact/capture/recorder";
import { decodeContent, requestEncoding } from "@reenact/capture/recorder";
import { findTokens } from "@reenact/envelope";
import { provider } from "@reenact/providers";
import { DUMMY_KEY } from "../child/environment.ts";
import { isRequest } from "../match/asked.ts";
import type { Tape } from "../tape/tape.ts";
import { originalsOf } from "../tape/tape-vault.ts";
import type { LiveOptions } from "./live-options.ts";

/** Why a call is not made live, and a name of the reason. */
export interface Unsendable {
  readonly reason: "no-key" | "redacted-value" | "not-sendable";
  readonly message: string;
}

const MOST_NAMED = 3;
const CREDENTIALS = /^(?:authorization|proxy-authorization|cookie|(?:x-)?(?:goog-)?api-key)$/i;
const MASK = /\b[A-Z][A-Z_]{0,31}_MASKED\b/g;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** Shorter originals stand in texts by chance; without a token they are not looked for. */
const SHORTEST_ORIGINAL = 4;
/** JSON in JSON in JSON: the arguments of a tool's call are a text of JSON, as is what they may hold. */
const DEEPEST_JSON = 3;

/**
 * Searches a call before it is made for what must not go out: tokens that stand for redacted values, which nobody but the record
 * knows, and originals from the vault that its recipient has never had. Null: it may go out.
 */
export function whyUnsendable(
  step: Step,
  content: Content | null,
  tape: Tape,
  options: Pick<LiveOptions, "sendsTokens" | "sendsOriginals">,
): Unsendable | null {
  const what = `step ${step.index + 1} (${step.op})`;
  if (content === null)
    return {
      reason: "not-sendable",
      message: `${what} was not sent: what the program writes to it is not known when it starts, so it cannot be searched for redacted values`,
    };
  const parts = isRequest(content) ? partsOf(content) : [{ at: "arguments", text: content.args }];
  return (
    lackingKey(step, what, parts) ??
    (options.sendsTokens ? null : heldTokens(what, parts)) ??
    (options.sendsOriginals ? null : heldOriginals(what, content, parts, tape))
  );
}

interface Part {
  readonly at: string;
  readonly text: string;
}

function partsOf({ url, headers, body }: SentRequest): Part[] {
  const encoding = requestEncoding(headers);
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const plain = bytes === null || encoding === null ? bytes : (decodeContent(bytes, encoding) ?? bytes);
  return [
    ...headers.map(([name, value]) => ({ at: `header ${name.toLowerCase()}`, text: value })),
    { at: "URL", text: decoded(url) },
    ...(plain === null ? [] : [{ at: "body", text: Buffer.from(plain).toString() }]),
  ];
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** A dummy key, or a token in the place of one. */
function lackingKey({ op }: Step, what: string, parts: readonly Part[]): Unsendable | null {
  const dummy = parts.find(({ text }) => text.includes(DUMMY_KEY));
  const sealed = parts.find(
    ({ at, text }) => CREDENTIALS.test(at.replace("header ", "")) && findTokens(text).length > 0,
  );
  const held = dummy ?? sealed;
  if (held === undefined) return null;
  const names = keysOf(op.split(".")[0] ?? "");
  const next = names.length === 0 ? "set the variable that holds it" : `set ${names.join(" or ")}`;
  const why = dummy === undefined ? "holds a token of the record" : "holds a placeholder of the replay";
  return { reason: "no-key", message: `no key: ${what} was not sent, since its ${held.at} ${why}; ${next}` };
}

function keysOf(name: string): readonly string[] {
  try {
    return provider(name).keys;
  } catch {
    return [];
  }
}

function heldTokens(what: string, parts: readonly Part[]): Unsendable | null {
  const held = parts.flatMap(({ at, text }) =>
    placeholders(text).map((token) => `${token} ${placeOf(at, text, token)}`),
  );
  if (held.length === 0) return null;
  return {
    reason: "redacted-value",
    message: `${what} was not sent: it holds ${listOf(held, "redacted value")} of the record, which only the record knows; open the vault of the run, or send them as they stand with --send-tokens`,
  };
}

/** Originals count by recipient: a host that the recorded run sent a value to has it. */
function heldOriginals(what: string, content: Content, parts: readonly Part[], tape: Tape): Unsendable | null {
  const originals = originalsOf(tape);
  if (originals === null) return null;
  const to = isRequest(content) ? new URL(content.url).host : null;
  const held = [...originals.values].flatMap(([token, original]) => {
    if (original.length < SHORTEST_ORIGINAL) return [];
    const forms = formsOf(original);
    const part = parts.find(({ text }) => forms.some((form) => text.includes(form)));
    return part === undefined || hasHad(to, token, tape) ? [] : [`${token} ${placeOf(part.at, part.text, original)}`];
  });
  if (held.length === 0) return null;
  return {
    reason: "redacted-value",
    message: `${what} was not sent: it holds ${listOf(held, "original")} from the vault that ${to ?? "this tool"} did not get in the recorded run; --send-originals sends them`,
  };
}

/** How a value is written in a text, and in JSON. */
function formsOf(value: string): string[] {
  const forms = [value];
  for (let depth = 0; depth < DEEPEST_JSON; depth++) forms.push(JSON.stringify(forms[depth]).slice(1, -1));
  return [...new Set(forms)];
}

/** Whether the recorded run sent this value to the host; `to` null: to a tool of the program. */
function hasHad(to: string | null, token: string, tape: Tape): boolean {
  return tape.ordered.some(({ input, record: { exchange, call } }) => {
    if (to === null) return call?.args?.includes(token) === true;
    if (exchange === undefined || !URL.canParse(exchange.request.url) || new URL(exchange.request.url).host !== to)
      return false;
    return input?.includes(token) === true || JSON.stringify(exchange.request).includes(token);
  });
}

/** Tokens and masks of a text, also within its JWTs, each once. */
export function placeholders(text: string): string[] {
  const inJwts = (text.match(JWT) ?? []).flatMap((jwt) =>
    jwt.split(".").flatMap((part) => findTokens(Buffer.from(part, "base64url").toString())),
  );
  return [...new Set([...[...findTokens(text), ...inJwts].map(({ token }) => token), ...(text.match(MASK) ?? [])])];
}

function listOf(held: readonly string[], noun: string): string {
  const more = held.length - MOST_NAMED;
  const named = held.slice(0, MOST_NAMED).join(", ");
  return `${held.length} ${noun}${held.length === 1 ? "" : "s"} (${named}${more > 0 ? `, and ${more} more` : ""})`;
}

/** Of a JSON body the pointer. */
function placeOf(at: string, text: string, value: string): string {
  if (at !== "body" && at !== "arguments") return `in the ${at}`;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `in the ${at}`;
  }
  return `at ${pointerTo(body, value) ?? at}`;
}

function pointerTo(node: unknown, value: string): string | null {
  if (typeof node === "string") return node.includes(value) ? "" : null;
  if (typeof node !== "object" || node === null) return null;
  for (const [key, child] of Object.entries(node)) {
    const below = pointerTo(child, value);
    if (below !== null) return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${below}`;
  }
  return null;
}
