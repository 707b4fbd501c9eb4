import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { errorCode } from "@reenact/envelope";
import { writeWhole } from "@reenact/node/seal";
import type { ProjectScrubber } from "../redact/project-scrubber.ts";
import { makeStore } from "../store/make-store.ts";
import { fixtureDigest } from "./fixture-digest.ts";
import { shownValues } from "../workbench/shown-values.ts";
import type { FixtureResult } from "./run-fixtures.ts";

const FOLDER = "tests";
/** The line that `reenact test` writes where results cannot be kept begins so. */
export const NOT_KEPT = "the results were not kept for the Tests page";

interface KeptResult {
  readonly schemaVersion: 1;
  /** path of the fixture's definition, from the folder of the store */
  readonly file: string;
  /** of the fixture as it was run */
  readonly digest: string;
  readonly status: "passed" | "failed";
  readonly what: string;
  readonly cause: string | null;
  readonly step: number | null;
  /** where it differs, and both values there; of long ones a part. Absent in results of older versions */
  readonly pointer?: string | null;
  readonly recorded?: string | null;
  readonly now?: string | null;
  readonly replay: string | null;
  /** milliseconds since the epoch */
  readonly at: number;
  readonly durationMs: number;
}

export interface LastResult extends Omit<KeptResult, "schemaVersion" | "digest"> {
  /** absolute path of the fixture's definition */
  readonly file: string;
  /** the fixture has changed since */
  readonly isStale: boolean;
}

/**
 * Keeps the result of a fixture in the store, in place of the one before. What the agent asked for is in it, so it is redacted; what the
 * program printed is not kept. Throws as `node:fs` does.
 */
export function keepResult(store: string, result: FixtureResult, scrubber: ProjectScrubber): void {
  if (result.status === "skipped") return;
  const { file, digest, status, message, cause, replay, durationMs, outcome } = result;
  const [what = ""] = message.split("\n");
  const text = (value: string): string => scrubber.scrub(value).text;
  const kept: KeptResult = {
    schemaVersion: 1,
    file: relative(store, file).split(sep).join("/"),
    digest,
    status,
    what: text(what),
    cause: cause === null ? null : text(cause),
    step: outcome?.divergence?.step ?? null,
    ...(status === "failed" && outcome?.divergence && differenceOf(outcome.divergence, text)),
    replay,
    at: Date.now(),
    durationMs,
  };
  makeStore(store, FOLDER);
  writeWhole(join(store, FOLDER, nameOf(kept.file)), Buffer.from(`${JSON.stringify(kept)}\n`));
}

/** Whole values are redacted before they are cut: half of a secret is not found. */
const differenceOf = (
  divergence: NonNullable<NonNullable<FixtureResult["outcome"]>["divergence"]>,
  redacted: (text: string) => string,
): Pick<KeptResult, "pointer" | "recorded" | "now"> => ({
  pointer: divergence.pointer === null ? null : redacted(divergence.pointer),
  ...shownValues(divergence, redacted),
});

/** The results that a store has of fixtures that are still there. A file that cannot be read is no result. */
export function lastResults(store: string): LastResult[] {
  let names: string[];
  try {
    names = readdirSync(join(store, FOLDER));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
  return names.filter((name) => name.endsWith(".json")).flatMap((name) => resultIn(store, join(store, FOLDER, name)));
}

function resultIn(store: string, path: string): LastResult[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return [];
  }
  if (!isKeptResult(json)) return [];
  const { schemaVersion: _, digest, ...kept } = json;
  const file = resolve(store, kept.file);
  return existsSync(file) ? [{ ...kept, file, isStale: fixtureDigest(file) !== digest }] : [];
}

/** Whether it was written by `keepResult` of this version. */
function isKeptResult(json: unknown): json is KeptResult {
  const { schemaVersion, file, digest, at } = { ...(json as Partial<KeptResult> | null) };
  return schemaVersion === 1 && typeof file === "string" && typeof digest === "string" && typeof at === "number";
}

/** One file a fixture, so that two commands at a time do not lose each other's results. */
const nameOf = (file: string): string => `${createHash("sha256").update(file).digest("hex").slice(0, 16)}.json`;
