import type { Tape } from "./tape.ts";
import { unsealedRoot } from "./tape-vault.ts";
import { findTokens } from "@reenact/envelope";
import { SHORTEST_OWN_SECRET } from "./match/own-secrets.ts";

/**
 * Set by the machine, not by the agent's configuration. `NODE_ENV` is configuration; `TERM` describes the terminal, of
 * which a replay shows the recorded one.
 */
const OF_THE_MACHINE =
  /^(PATH|HOME|PWD|OLDPWD|SHLVL|SHELL|USER|LOGNAME|_|TMPDIR|TEMP|TMP|HOSTNAME|NODE_(?!ENV$).*|npm_.*|REENACT_.*|OTEL_.*)$/;

/** A key that no provider accepts, for constructors that insist on one. */
const DUMMY_KEY = "reenact-replay-no-key";
const IS_LOCALE = /^(?:LANG|LANGUAGE|LC_.*)$/;
const KEY_NAMES = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

/**
 * The environment of a replay: the caller's, with the recorded values of the variables that the agent read, the
 * recorded time zone and locale, and dummy keys. A secret that was recorded as a token stays a token. A variable that
 * the caller keeps has the caller's value, or none, whatever was recorded.
 *
 * @param kept variables that stay the caller's
 */
export function worldOf(tape: Tape, own: NodeJS.ProcessEnv, kept: readonly string[] = []): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...own };
  const { environment = {} } = tape.root;
  for (const [name, value] of recordedVariables(tape, own, kept)) {
    if (kept.includes(name)) continue;
    if (value === null) delete env[name];
    else env[name] = value;
  }
  // a CI gives an empty one for a secret that it does not have
  for (const name of KEY_NAMES) if (!env[name] && environment[name] !== "") env[name] = DUMMY_KEY;
  return env;
}

/** Variables that the caller has set to something else than the recorded run had, in the order of their names. */
export function otherVariables(tape: Tape, own: NodeJS.ProcessEnv): string[] {
  return [...recordedVariables(tape, own)]
    .filter(([name, value]) => own[name] !== undefined && own[name] !== value && findTokens(value ?? "").length === 0)
    .map(([name]) => name)
    .sort();
}

/**
 * The variables that a replay sets; null: removes.
 *
 * @param kept names whose recorded value is not wanted
 */
function recordedVariables(
  tape: Tape,
  own: NodeJS.ProcessEnv,
  kept: readonly string[] = [],
): Map<string, string | null> {
  const { process: facts } = tape.root;
  const { environment = {} } = unsealedRoot(tape);
  const variables = new Map<string, string | null>();
  for (const [name, value] of Object.entries(environment)) {
    if (OF_THE_MACHINE.test(name)) continue;
    if (value === null) variables.set(name, null);
    else if (typeof value === "string" && !keepsOwnSecret(value, own[name])) variables.set(name, value);
  }
  if (facts?.tz !== undefined && !isZoneOfMachine(facts.tz, environment["TZ"], own)) variables.set("TZ", facts.tz);
  for (const [name, value] of Object.entries(facts?.localeVariables ?? {})) variables.set(name, value);
  // no variable of the recorded run, but the one that decides: it would win over a locale that the caller keeps
  if (facts?.locale !== undefined && !kept.some((name) => IS_LOCALE.test(name)))
    variables.set("LC_ALL", `${facts.locale.replace("-", "_")}.UTF-8`);
  return variables;
}

/**
 * A secret keeps the caller's own value, since code may take it apart. A short one is a placeholder, and could not be
 * told from other text where requests are compared.
 */
function keepsOwnSecret(recorded: string, own: string | undefined): boolean {
  return findTokens(recorded).length > 0 && own !== undefined && own.length >= SHORTEST_OWN_SECRET;
}

/** Where the recorded program saw no TZ and this machine has the same zone, it sees none again. */
function isZoneOfMachine(zone: string, variable: unknown, own: NodeJS.ProcessEnv): boolean {
  return variable === null && own["TZ"] === undefined && Intl.DateTimeFormat().resolvedOptions().timeZone === zone;
}
