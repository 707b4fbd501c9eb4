import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { DestinationPolicy, Policy } from "@reenact/redaction";
import { checkedVault, type VaultConfig } from "../vault/vault-config.ts";

/** What a project says in `reenact.config.ts`, `.mjs` or `.json`. */
export interface ConfigFile {
  /** what is replaced before anything is recorded */
  redaction?: Policy;
  /** what is replaced besides, for receivers of `REENACT_FORWARD` and `OTEL_EXPORTER_OTLP_*` */
  destinations?: DestinationRedaction[];
  /** settings of the vault, which keeps the originals of redacted values; false: no vault */
  vault?: VaultConfig | false;
}

/** A policy for what goes to a receiver; the first whose address fits counts. */
export interface DestinationRedaction {
  /** the receiver's address, or the beginning of it up to a slash */
  url: string;
  redaction: DestinationPolicy;
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
  const { redaction, destinations, vault, $schema: _, ...rest } = given as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `${unknown} is not known; it may hold redaction, destinations and vault`;
  const further = destinations === undefined ? {} : checkedDestinations(destinations);
  if (typeof further === "string") return further;
  const kept = vault === undefined ? undefined : checkedVault(vault);
  if (typeof kept === "string") return `vault: ${kept}`;
  const found = redaction === undefined ? undefined : checkedPolicy(redaction);
  if (found !== undefined && "error" in found) return `redaction: ${found.error}`;
  return { ...(found && { redaction: found.policy }), ...further, ...(kept !== undefined && { vault: kept }) };
}

function checkedDestinations(given: unknown): Pick<ConfigFile, "destinations"> | string {
  if (!Array.isArray(given)) return "destinations: a list of { url, redaction }";
  const { readDestinationPolicy } = require("@reenact/redaction/policy") as typeof import("@reenact/redaction/policy");
  const destinations: DestinationRedaction[] = [];
  for (const [at, each] of (given as unknown[]).entries()) {
    const { url, redaction, ...rest } = (each ?? {}) as Record<string, unknown>;
    const place = `destinations.${at}`;
    if (typeof url !== "string" || !/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i.test(url) || !URL.canParse(url))
      return `${place}.url: must be http://host:port, without a user or a query`;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) return `${place}: ${unknown} is not known; it holds url and redaction`;
    const found = readDestinationPolicy(redaction);
    if ("error" in found) return `${place}.redaction: ${found.error}`;
    destinations.push({ url, redaction: found.policy });
  }
  return { destinations };
}

/** A policy that was read from outside, or one line that says what is wrong with it. */
export function checkedPolicy(given: unknown): { policy: Policy } | { error: string } {
  const { readPolicy } = require("@reenact/redaction/policy") as typeof import("@reenact/redaction/policy");
  return readPolicy(given);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
