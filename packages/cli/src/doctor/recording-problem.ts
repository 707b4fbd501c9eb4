import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadScopeScrubber, readConfig } from "@reenact/node";
import { environment } from "../process/environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** One line why nothing can be recorded from this environment into this store; null: nothing that shows from here. */
export function recordingProblem(store: string, env: Environment = environment()): string | null {
  const { config, problems } = readConfig(env);
  if (config.disabled) return `recording is switched off by ${switchOf(env)}`;
  const found = policyProblem(store, env) ?? keyProblem(store, env);
  return found === null ? null : [...problems, found].join("; ");
}

/** The variable that switches recording off. */
export function switchOf(env: Environment): string {
  return env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true" ? "OTEL_SDK_DISABLED" : "REENACT_DISABLED";
}

/** What is wrong with the configuration file, or the policy in it. */
export function policyProblem(store: string, env: Environment = environment()): string | null {
  const any = { REENACT_REDACTION_KEY: "0".repeat(64) };
  return problemOf({ env: { ...env, ...any }, folder: store, temporary: true, configFile: configFile(env) });
}

/** Why the recorder would have no key for what it redacts. Makes none in the store. */
export function keyProblem(store: string, env: Environment = environment()): string | null {
  const found = problemOf({ env, folder: store, temporary: true, configFile: null }, {});
  if (found !== null || env["REENACT_REDACTION_KEY"]?.trim() || env["REENACT_REDACTION_KEY_COMMAND"]?.trim())
    return found;
  // whether a key of the machine's own would do
  const folder = mkdtempSync(join(tmpdir(), "reenact-key-"));
  try {
    return problemOf({ env, folder, configFile: null }, {});
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is worth saying of a key that can be used: that it was derived from a passphrase. */
export function keyNote(store: string, env: Environment = environment()): string | null {
  const found = loadScopeScrubber({ env, folder: store, temporary: true, configFile: null, policy: {} });
  return "error" in found ? null : found.passphrase;
}

const configFile = (env: Environment): string | null => readConfig(env).config.configFile;

type From = Parameters<typeof loadScopeScrubber>[0];

function problemOf(from: Omit<From, "policy">, policy?: From["policy"]): string | null {
  const found = loadScopeScrubber({ ...from, policy });
  if ("error" in found) return found.error;
  found.detectors?.close();
  return null;
}
