import { headerOf, type HeaderValues, type ResponseValue } from "@reenact/capture/recorder";
import { decodeValue, encodeValue, findTokens, renameTokens } from "@reenact/envelope";
import type { AgentOutput } from "../effects/output-of.ts";
import type { Difference } from "../match/difference.ts";
import type { ComparedValue } from "../match/value-marks.ts";
import type { Ledger } from "./ledger.ts";
import { listed } from "./listed.ts";

/** Headers that are made from the bytes of the body: where values in it were redacted, those were others. */
const OF_THE_BODY = new Set(["content-length", "content-md5", "content-digest", "digest", "etag", "repr-digest"]);
const OR_READS = "or it reads something that no step holds";
const UNREADABLE = /^UNSCANNED_\d+$/;
const MOST_NAMED = 5;

const sameButTokens = (recorded: string, now: string): boolean => renameTokens(recorded) === renameTokens(now);

interface Answered {
  readonly output: AgentOutput | null;
  isSameValue?(recorded: string, now: string): boolean;
  markedValue?(marks: ComparedValue): Difference | null;
}

type Same = (recorded: unknown, now: unknown) => boolean;
type Found = readonly [difference: Difference, cause: string] | null;

/** What the server answered: its status, its body, then its headers. */
export function compareResponse(ledger: Ledger, { output, isSameValue = sameButTokens, markedValue }: Answered): void {
  const { root } = ledger.tape;
  if (root.output === undefined) {
    if (root.error === undefined) ledger.note("the recording has no response: it was not compared");
    return;
  }
  const recorded = decodeValue(root.output) as ResponseValue;
  ledger.note(partlyCompared(recorded));
  if (output === null) return unanswered(ledger, recorded);
  const now = decodeValue(output.text) as ResponseValue;
  const same: Same = (a, b) => isSameValue(encodeValue(a).text, encodeValue(b).text);
  const found =
    otherStatus(recorded, now) ??
    otherEnd(recorded, now) ??
    otherBody(recorded, now, same) ??
    otherHeaders(recorded, now, same) ??
    otherValue(markedValue?.({ recorded: root.outputMarks, now: output.marks }) ?? null);
  if (found !== null) ledger.diverged(null, null, "output-changed", ...found);
}

/**
 * A request that was answered with another status before it took any step: what is missing is missing because of it.
 *
 * @param status of the answer
 * @param redacted names of headers that were sent with redacted values
 */
export function compareRefusal(ledger: Ledger, status: number, redacted: readonly string[]): void {
  const { output } = ledger.tape.root;
  if (output === undefined || ledger.calls.length > 0) return;
  const recorded = (decodeValue(output) as ResponseValue).status;
  if (recorded === status) return;
  const hint =
    redacted.length === 0
      ? ""
      : `; it was sent with redacted values in ${listed(redacted, MOST_NAMED)}: --header "${redacted[0] ?? ""}: …" gives one`;
  const difference = { pointer: "/status", recorded, now: status };
  const cause = `the server answered ${status} (recorded: ${recorded}), and took no step${hint}`;
  ledger.diverged(null, null, "output-changed", difference, cause);
}

function otherStatus({ status: recorded }: ResponseValue, { status: now }: ResponseValue): Found {
  if (recorded === now) return null;
  return [{ pointer: "/status", recorded, now }, `the server answered ${now} (recorded: ${recorded})`];
}

function otherEnd(recorded: ResponseValue, now: ResponseValue): Found {
  if (recorded.aborted === now.aborted) return null;
  const difference = { pointer: "/aborted", recorded: recorded.aborted ?? null, now: now.aborted ?? null };
  return now.aborted === true
    ? [difference, "the response was cut off; the recorded one was whole"]
    : [difference, "the response was whole; the recorded one was cut off"];
}

/** Of a body that the record has a part of, that part is compared, and how long it was. */
function otherBody(recorded: ResponseValue, now: ResponseValue, same: Same): Found {
  const [before, after] = recorded.aborted === true ? commonPart(recorded.body, now.body) : [recorded.body, now.body];
  if ((recorded.cut === now.cut || recorded.aborted === true) && same(before, after)) return null;
  return [
    { pointer: "/body", recorded: shown(recorded.body), now: shown(now.body) },
    `the body of the response differs though every call was served: the code makes something else of them now, ${OR_READS}`,
  ];
}

/** How much a server had written when its client went away is the network's matter. */
function commonPart(recorded: ResponseValue["body"], now: ResponseValue["body"]): readonly [string, string] {
  const [a, b] = [shown(recorded) ?? "", shown(now) ?? ""];
  const length = Math.min(a.length, b.length);
  return [a.slice(0, length), b.slice(0, length)];
}

function otherHeaders(recorded: ResponseValue, now: ResponseValue, same: Same): Found {
  const isRedacted = findTokens(shown(recorded.body) ?? "").length > 0;
  const all = new Set([...namesOf(recorded.headers), ...namesOf(now.headers)]);
  const names = [...all].filter(
    (name) =>
      !(isRedacted && OF_THE_BODY.has(name)) && !same(headerOf(recorded.headers, name), headerOf(now.headers, name)),
  );
  const [first] = names;
  if (first === undefined) return null;
  const values = { recorded: headerOf(recorded.headers, first), now: headerOf(now.headers, first) };
  return [{ pointer: `/headers/${first}`, ...values }, `headers of the response differ: ${listed(names, MOST_NAMED)}`];
}

function otherValue(marked: Difference | null): Found {
  return marked === null ? null : [marked, "the response holds another redacted value than the recorded one"];
}

/** What is not compared of the body; null: all of it is. */
function partlyCompared({ body, cut, aborted }: ResponseValue): string | null {
  if (typeof body === "string" && UNREADABLE.test(body))
    return "the body of the response could not be read when it was recorded: only its length was compared";
  if (cut !== undefined)
    return "the recording has the beginning of the response's body: the rest was compared by its length";
  return aborted === true ? "the client went away: the response was compared as far as both runs had written it" : null;
}

/** The program ended, or the replay did, before the response was sent. */
function unanswered(ledger: Ledger, recorded: ResponseValue): void {
  ledger.diverged(
    null,
    null,
    "output-changed",
    { pointer: "/status", recorded: recorded.status, now: null },
    `the server did not answer the request (recorded: ${recorded.status})`,
  );
}

function namesOf(headers: HeaderValues): string[] {
  return Object.keys(headers).map((name) => name.toLowerCase());
}

function shown(body: ResponseValue["body"]): string | null {
  return body === null || typeof body === "string" ? body : Buffer.from(body).toString("latin1");
}
