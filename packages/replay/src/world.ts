import type { Tape } from "./tape.ts";
import { findTokens } from "@reenact/envelope";

/** Set by the machine, not by the agent's configuration. */
const OF_THE_MACHINE =
  /^(PATH|HOME|PWD|OLDPWD|SHLVL|SHELL|USER|LOGNAME|_|TMPDIR|TEMP|TMP|HOSTNAME|TERM|NODE_.*|npm_.*|REENACT_.*|OTEL_.*)$/;

/** A key that no provider accepts, for constructors that insist on one. */
const DUMMY_KEY = "reenact-replay-no-key";
const KEY_NAMES = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

/**
 * The environment of a replay: the caller's, with the recorded values of the variables that the agent read, the
 * recorded time zone and locale, and dummy keys. A secret that was recorded as a token stays a token.
 *
 * @param kept variables that stay the caller's
 */
export function worldOf(tape: Tape, own: NodeJS.ProcessEnv, kept: readonly string[] = []): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...own };
  const { process: facts, environment = {} } = tape.root;
  for (const [name, value] of recordedVariables(tape, own)) {
    if (kept.includes(name)) continue;
    if (value === null) delete env[name];
    else env[name] = value;
  }
  if (facts?.tz !== undefined) env["TZ"] = facts.tz;
  for (const [name, value] of Object.entries(facts?.localeVariables ?? {})) {
    if (value === null) delete env[name];
    else env[name] = value;
  }
  if (facts?.locale !== undefined) env["LC_ALL"] = `${facts.locale.replace("-", "_")}.UTF-8`;
  // a CI gives an empty one for a secret that it does not have
  for (const name of KEY_NAMES) if (!env[name] && environment[name] !== "") env[name] = DUMMY_KEY;
  return env;
}

/** Variables that the caller has set to something else than the agent read, in the order of their names. */
export function otherVariables(tape: Tape, own: NodeJS.ProcessEnv): string[] {
  return recordedVariables(tape, own)
    .filter(([name, value]) => own[name] !== undefined && own[name] !== value)
    .map(([name]) => name)
    .sort();
}

/** What a replay sets, or removes; of a secret the caller's own is better than its token. */
function recordedVariables(tape: Tape, own: NodeJS.ProcessEnv): [name: string, value: string | null][] {
  return Object.entries(tape.root.environment ?? {}).flatMap(([name, value]): [string, string | null][] => {
    if (OF_THE_MACHINE.test(name)) return [];
    if (value === null) return [[name, null]];
    return typeof value === "string" && (findTokens(value).length === 0 || !own[name]) ? [[name, value]] : [];
  });
}
