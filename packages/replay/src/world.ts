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
 */
export function worldOf(tape: Tape, own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...own };
  const { process: facts, environment = {} } = tape.root;
  for (const [name, value] of Object.entries(environment)) {
    if (OF_THE_MACHINE.test(name)) continue;
    if (value === null) delete env[name];
    else if (typeof value === "string" && (findTokens(value).length === 0 || !env[name])) env[name] = value;
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
