import { recorder, type RunContext, scrubError, Tally, thrownMessage } from "@reenact/capture/recorder";
import { errorCode, type RecordedError, recordError, renameTokens } from "@reenact/envelope";
import { isRequested } from "../tape/tape.ts";
import type { Call } from "./call-entry.ts";
import type { Ledger } from "./ledger.ts";
import { type AgentEnding, blameRefusal } from "./outcome.ts";
import { redactionHint } from "../match/redaction-cause.ts";
import { ownPlace } from "../guard/own-place.ts";
import { RefusedEffect } from "../guard/refused-effect.ts";
import { ReplayMiss } from "../serve/replay-miss.ts";

const MOST_CAUSES = 4;
const MOST_LETTERS = 200;

/**
 * Writes into the ledger an error with which the run ended, and the recorded one did not. What a replay itself has refused is
 * none.
 */
export function noteError(ledger: Ledger, run: RunContext | null, ending: AgentEnding): void {
  const thrown = thrownBy(ledger, run, ending);
  if (thrown === null) return;
  const { error, who } = thrown;
  if (isRefusal(error, 0)) return noteRefusal(ledger);
  const recorded = ledger.tape.root.error;
  if (recorded !== undefined && isSameValue(recorded, error)) return;
  const [name, message] = textsOf(error);
  const isSameKind = recorded !== undefined && recorded.name === name;
  if (isSameKind && renameTokens(recorded.message) === renameTokens(message)) return;
  const lacking = lackingPackage(error, message);
  const before = recorded === undefined ? "without an error" : `with ${shown(recorded.name, recorded.message)}`;
  const cause =
    lacking === null
      ? `${who} ended with ${shown(name, message)}${placeIn(error)} (the recorded run ended ${before})`
      : `${who} ended since the package ${lacking} is not installed: npm install ${lacking}`;
  // a message may name a path or an address of this machine: it is compared where the program shows it, or here if nowhere else
  const isShownElsewhere = !isRequested(ledger.tape.root) || ledger.tape.root.output !== undefined;
  ledger.endedWith(cause, !isSameKind || !isShownElsewhere, lacking === null ? redactionHint(ledger.tape) : "");
}

/** The error of the agent, or of the program, and which of both; null: there was none. */
function thrownBy(
  { tape }: Ledger,
  run: RunContext | null,
  ending: AgentEnding,
): { error: unknown; who: string } | null {
  const { trigger } = tape.root;
  const isCall = (trigger === "function" || trigger === "job") && run?.outcome !== null && run?.outcome !== undefined;
  // a program that goes on after an uncaught error has not ended with it
  const uncaught = ending.exitCode === 0 ? undefined : ending.error;
  const error = isCall ? run.outcome?.thrown : uncaught;
  return error === undefined
    ? null
    : { error, who: isCall ? `${trigger === "job" ? "job" : "agent"} "${run.start.name}"` : "the program" };
}

function noteRefusal(ledger: Ledger): void {
  if (!ledger.calls.every(isServed)) ledger.endedByMiss = true;
  else if (ledger.refused.length > 0) blameRefusal(ledger);
}

/** Where in the program it was thrown, in words. */
function placeIn(error: unknown): string {
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack.split("\n") : [];
  const place = ownPlace(stack.filter((line) => /^\s+at /.test(line)));
  return place === null ? "" : `, at ${place}`;
}

/** Name of a package that Node did not find. */
function lackingPackage(error: unknown, message: string): string | null {
  const code = errorCode(error);
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return null;
  const [, named = ""] = /^Cannot find (?:package|module) '([^']+)'/.exec(message) ?? [];
  return /^(?:@[\w.-]+\/)?[\w][\w.-]*(?=\/|$)/.exec(named)?.[0] ?? null;
}

const isServed = ({ verdict }: Call): boolean =>
  verdict !== "extra" && verdict !== "exhausted" && verdict !== "wrong-tool";

function isRefusal(error: unknown, depth: number): boolean {
  if (error instanceof ReplayMiss || error instanceof RefusedEffect) return true;
  if (typeof error !== "object" || error === null || depth === MOST_CAUSES) return false;
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.some((each) => isRefusal(each, depth + 1))) return true;
  return isRefusal(cause, depth + 1);
}

/** Whether both are values that are no errors, and the same. */
function isSameValue(recorded: RecordedError, error: unknown): boolean {
  const { scrubber } = recorder;
  const now = recordError(error);
  if (recorded.class !== "" || now.class !== "" || scrubber === null) return false;
  const { raw } = scrubError(now, scrubber, new Tally());
  return renameTokens(JSON.stringify(raw) ?? "") === renameTokens(JSON.stringify(recorded.raw) ?? "");
}

function textsOf(error: unknown): [name: string, message: string] {
  const [name, message] = error instanceof Error ? [error.name, error.message] : ["", thrownMessage(error)];
  return [name, recorder.scrubber?.scrub(message).text ?? ""];
}

function shown(name: string, message: string): string {
  const text = name === "" ? message : message === "" ? name : `${name}: ${message}`;
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)}…` : line;
}
