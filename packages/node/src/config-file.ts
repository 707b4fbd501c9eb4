import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Policy } from "@reenact/redaction";

/** What a project says in `reenact.config.ts`, `.mjs` or `.json`. */
export interface ConfigFile {
  /** what is replaced before anything is recorded */
  redaction?: Policy;
}

/** Gives a configuration its type in an editor. */
export function defineConfig(config: ConfigFile): ConfigFile {
  return config;
}

export type LoadedFile = { readonly path: string | null; readonly config: ConfigFile } | { readonly error: string };

const NAMES = ["reenact.config.ts", "reenact.config.mjs", "reenact.config.json"] as const;
const NONE: LoadedFile = { path: null, config: {} };
const require = createRequire(import.meta.url);

/**
 * The configuration file: `named` (`REENACT_CONFIG`, or a flag), else the first of three names in `folder`. Three looks
 * at the disk where there is none. Never throws: `error` is one line, and nothing may be recorded then.
 */
export function loadConfigFile(named: string | null, folder: string = process.cwd()): LoadedFile {
  const path =
    named === null ? NAMES.map((name) => join(folder, name)).find((each) => existsSync(each)) : resolve(named);
  if (path === undefined) return NONE;
  try {
    const config = checked(read(path));
    return typeof config === "string" ? { error: `${path}: ${config}` } : { path, config };
  } catch (error) {
    return { error: `${path} cannot be loaded: ${firstLine(error)}` };
  }
}

function read(path: string): unknown {
  if (path.endsWith(".json")) return JSON.parse(readFileSync(path, "utf8"));
  const loaded = require(path) as { default?: unknown };
  return loaded.default ?? loaded;
}

/** The configuration, or what is wrong with it. The schema is loaded only here, where there is a file. */
function checked(given: unknown): ConfigFile | string {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return "it exports no object as default";
  const { redaction, $schema: _, ...rest } = given as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `${unknown} is not known; it may hold redaction`;
  if (redaction === undefined) return {};
  const found = checkedPolicy(redaction);
  return "error" in found ? `redaction: ${found.error}` : { redaction: found.policy };
}

/** A policy that was read from outside, or one line that says what is wrong with it. */
export function checkedPolicy(given: unknown): { policy: Policy } | { error: string } {
  const { readPolicy } = require("@reenact/redaction/policy") as typeof import("@reenact/redaction/policy");
  return readPolicy(given);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
