import { live, setForProgram, type ShownEnvironment } from "@reenact/capture/recorder";
import type { Tape } from "../tape/tape.ts";
import { unsealedRoot } from "../tape/tape-vault.ts";
import { findTokens } from "@reenact/envelope";
import { PROVIDERS } from "@reenact/providers";
import { SHORTEST_OWN_SECRET } from "../match/own-secrets.ts";

/**
 * Set by the machine, not by the agent's configuration. `NODE_ENV` is configuration; `TERM` describes the terminal, of
 * which a replay shows the recorded one.
 */
const OF_THE_MACHINE =
  /^(PATH|HOME|PWD|OLDPWD|SHLVL|SHELL|USER|LOGNAME|_|TMPDIR|TEMP|TMP|HOSTNAME|NODE_(?!ENV$).*|npm_.*|REENACT_.*|OTEL_.*)$/;

/** What a recorder and a replay are started by. */
const OF_THE_START = /^(?:NODE_OPTIONS|REENACT_LAUNCH|REENACT_REPLAY_PLAN|_)$/;

/** A key that no provider accepts, for constructors that insist on one. Each name has its own, so that a request tells which it carries. */
export const DUMMY_KEY = "reenact-replay-no-key-";
const dummyKey = (name: string): string => `${DUMMY_KEY}${name.toLowerCase().replaceAll("_", "-")}`;
const IS_LOCALE = /^(?:LANG|LANGUAGE|LC_.*)$/;
const KEY_NAMES = PROVIDERS.flatMap(({ keys }) => keys);

/**
 * The environment of a replay: the caller's, with the recorded values of the variables that the agent read, the
 * recorded time zone and locale, and dummy keys. A secret that was recorded as a token stays a token. A variable that
 * the caller keeps has the caller's value, or none, whatever was recorded.
 *
 * @param kept variables that stay the caller's
 */
export function recordedEnvironment(
  tape: Tape,
  own: NodeJS.ProcessEnv,
  kept: readonly string[] = [],
): NodeJS.ProcessEnv {
  const { environment = {}, environmentNames = null } = tape.root;
  const env = environmentNames === null ? { ...own } : inOrder(own, environmentNames, kept);
  for (const [name, value] of recordedVariables(tape, own, kept)) {
    if (kept.includes(name)) continue;
    if (value === null) delete env[name];
    else env[name] = value;
  }
  addDummyKeys(env, (name) => environment[name] !== "" && environment[name] !== null);
  return env;
}

/** Whether a program in a replay sees the caller's own value of a variable, which is then not empty. */
export function seesOwnValue(tape: Tape, name: string, own: NodeJS.ProcessEnv, kept: readonly string[]): boolean {
  const value = own[name] ?? "";
  return value !== "" && recordedEnvironment(tape, own, kept)[name] === value;
}

/** Gives each provider's key that is not set a value that no provider accepts, for constructors that insist on one. */
export function addDummyKeys(env: NodeJS.ProcessEnv, wanted: (name: string) => boolean = () => true): void {
  // a CI gives an empty one for a secret that it does not have
  for (const name of KEY_NAMES) if (!env[name] && wanted(name)) env[name] = dummyKey(name);
}

/** Replays within this process that show variables now, and what the variables were before the first of them. */
const shown = { replays: 0, before: new Map<string, string | undefined>() };

/**
 * Shows this process the variables of the recorded run, for a replay within a process that does more. The result takes that back
 * once no other replay of this process shows variables any more; of replays at the same time the latest one counts.
 */
export function showVariables(tape: Tape): () => void {
  live(() => {
    const environment = recordedEnvironment(tape, process.env);
    for (const name of new Set([...Object.keys(process.env), ...Object.keys(environment)])) {
      if (process.env[name] === environment[name]) continue;
      if (!shown.before.has(name)) shown.before.set(name, process.env[name]);
      setForProgram(name, environment[name]);
    }
    shown.replays++;
  });
  return () => {
    if (--shown.replays > 0) return;
    live(() => shown.before.forEach((value, name) => setForProgram(name, value)));
    shown.before.clear();
  };
}

/** Variables of the caller that the recorded program had, too, in the order in which it listed them; then those of the machine. */
function inOrder(own: NodeJS.ProcessEnv, names: readonly string[], kept: readonly string[]): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  // keys are in the order in which they came; one that has no value yet may get its recorded one
  for (const name of names) env[name] = own[name];
  for (const [name, value] of Object.entries(own))
    if (OF_THE_MACHINE.test(name) || kept.includes(name)) env[name] = value;
  return env;
}

/**
 * What the program sees beside its real environment. Variables that only say how it was started are as recorded. Where
 * the recorded program has listed its environment, it sees the names of then; one of the machine that is not set here has
 * its recorded value.
 */
export function shownEnvironment(
  tape: Tape,
  own: NodeJS.ProcessEnv,
  { store, ownVariables: kept }: { store: string; ownVariables: readonly string[] },
): ShownEnvironment {
  const { environmentNames: names = null, launch } = tape.root;
  const { environment = {} } = unsealedRoot(tape);
  const values = new Map([
    ...valuesOfTheStart(own, names, environment),
    // what `reenact run` gives a program is in no record of its variables
    ...valuesOfListed(own, names ?? [], {
      ...environment,
      ...(launch && { REENACT_LAUNCH: launch }),
      REENACT_STORE: store,
    }),
  ]);
  for (const name of kept) values.delete(name);
  const added = kept.filter((name) => own[name] !== undefined && names?.includes(name) === false);
  return { names: names && [...names, ...added], values };
}

type Values = [name: string, value: string | null][];

/** Of variables that only say how the program was started, and that it has not listed. */
function valuesOfTheStart(
  own: NodeJS.ProcessEnv,
  names: readonly string[] | null,
  environment: Readonly<Record<string, unknown>>,
): Values {
  return Object.keys(own).flatMap((name): Values => {
    const isKnown = names !== null || environment[name] !== undefined;
    if (!OF_THE_START.test(name) || !isKnown || names?.includes(name) === true) return [];
    return [[name, environment[name] === undefined ? null : textOf(environment[name])]];
  });
}

/** Of variables that the recorded program has listed. */
function valuesOfListed(
  own: NodeJS.ProcessEnv,
  names: readonly string[],
  environment: Readonly<Record<string, unknown>>,
): Values {
  return names.flatMap((name): Values => {
    const recorded = environment[name];
    const isSet = own[name] !== undefined;
    if (typeof recorded === "string" && (OF_THE_START.test(name) || !isSet)) return [[name, recorded]];
    // too long for the record, or a variable of the recorder: the name alone is known
    return !isSet && (isMeasured(recorded) || name.startsWith("REENACT_")) ? [[name, ""]] : [];
  });
}

const textOf = (recorded: unknown): string | null => (typeof recorded === "string" ? recorded : null);
const isMeasured = (recorded: unknown): boolean => typeof recorded === "object" && recorded !== null;

/** How many variables of the caller are not set in the replay of a program that has listed its environment. */
export function hiddenVariables({ root }: Tape, own: NodeJS.ProcessEnv, kept: readonly string[] = []): number {
  const names = root.environmentNames;
  if (names === undefined) return 0;
  const isHidden = (name: string): boolean =>
    !names.includes(name) && !kept.includes(name) && !name.startsWith("REENACT_");
  return Object.keys(own).filter(isHidden).length;
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
  const { environment = {} } = unsealedRoot(tape);
  const variables = new Map<string, string | null>();
  const ambiguous = ambiguousSecrets(environment, own);
  for (const [name, value] of Object.entries(environment)) {
    if (OF_THE_MACHINE.test(name)) continue;
    if (value === null) variables.set(name, null);
    else if (typeof value === "string" && (ambiguous.has(own[name]) || !keepsOwnSecret(value, own[name])))
      variables.set(name, value);
  }
  for (const [name, value] of zoneAndLocale(tape, environment["TZ"], own, kept)) variables.set(name, value);
  return variables;
}

function zoneAndLocale(
  { root }: Tape,
  recordedZone: unknown,
  own: NodeJS.ProcessEnv,
  kept: readonly string[],
): [name: string, value: string | null][] {
  const { tz, locale, localeVariables = {} } = root.process ?? {};
  const set: [string, string | null][] = [];
  if (tz !== undefined && !isZoneOfMachine(tz, recordedZone, own)) set.push(["TZ", tz]);
  set.push(...Object.entries(localeVariables));
  // the recorded run did not set LC_ALL; it decides, and would win over a locale that the caller keeps
  if (locale !== undefined && !kept.some((name) => IS_LOCALE.test(name)))
    set.push(["LC_ALL", `${locale.replace("-", "_")}.UTF-8`]);
  return set;
}

/**
 * A secret keeps the caller's own value, since code may take it apart. A short one is a placeholder, and could not be
 * told from other text where requests are compared.
 */
function keepsOwnSecret(recorded: string, own: string | undefined): boolean {
  return findTokens(recorded).length > 0 && own !== undefined && own.length >= SHORTEST_OWN_SECRET;
}

/** Values of this machine that stand for several recorded secrets: a request that carries one could be either's. */
function ambiguousSecrets(
  environment: Readonly<Record<string, unknown>>,
  own: NodeJS.ProcessEnv,
): ReadonlySet<string | undefined> {
  const recordedBy = new Map<string, unknown>();
  const ambiguous = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    const here = own[name];
    if (typeof value !== "string" || here === undefined || !keepsOwnSecret(value, here)) continue;
    if ((recordedBy.get(here) ?? value) !== value) ambiguous.add(here);
    recordedBy.set(here, value);
  }
  return ambiguous;
}

/** Where the recorded program saw no TZ and this machine has the same zone, it sees none again. */
function isZoneOfMachine(zone: string, variable: unknown, own: NodeJS.ProcessEnv): boolean {
  return variable === null && own["TZ"] === undefined && Intl.DateTimeFormat().resolvedOptions().timeZone === zone;
}
