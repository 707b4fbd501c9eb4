import {
  FROM_ENVIRONMENT,
  recorder,
  type RunContext,
  type RunMetadata,
  type MetadataScopes,
  scrubMetadata,
} from "@reenact/capture/recorder";
import { encodeValue } from "@reenact/envelope";
import type { Ledger } from "../verdict/ledger.ts";

/** What a program said of its run by `flag()` and `identify()`, redacted, and in the bodies of which steps. */
export interface ScopedMetadata {
  readonly metadata: RunMetadata;
  /** undefined: not recorded */
  readonly scopes: MetadataScopes | undefined;
}

export interface MetadataComparison {
  /** whether the body of the step with this number, or of one around it, is not compared */
  isServed(scope: number): boolean;
  /** as for the source of the run: two values in their typed encoding */
  isSame(recorded: string, now: string): boolean;
}

const FIELDS = ["flags", "user", "session", "tags"] as const;

/** What a run of this process has said so far. */
export function metadataSoFar(run: RunContext): ScopedMetadata | null {
  const { scrubber } = recorder;
  const all = run.metadata.all();
  if (all === null) return { metadata: {}, scopes: {} };
  return scrubber === null ? null : { metadata: scrubMetadata(all, scrubber), scopes: run.metadata.scopes ?? {} };
}

/** Compares what the program said of its run with the record; what it says in bodies that are served is left out. */
export function compareMetadata(
  ledger: Ledger,
  recorded: ScopedMetadata,
  now: ScopedMetadata,
  { isServed, isSame }: MetadataComparison,
): void {
  if (recorded.scopes === undefined && Object.keys(recorded.metadata).length > 0)
    return ledger.note(
      "not compared: flags, user, session and tags of the run, since the recording does not say where they were set",
    );
  for (const field of FIELDS) {
    const [then, here] = [comparable(field, recorded, isServed), comparable(field, now, isServed)];
    if (then === undefined || here === undefined) continue;
    if (isSame(encodeValue(then).text, encodeValue(here).text)) continue;
    ledger.findings.add("metadata-changed");
    ledger.diverged(
      null,
      null,
      "metadata-changed",
      { pointer: "", recorded: then, now: here },
      `the program says something else of its run by ${field === "flags" ? "flag()" : "identify()"}: other ${field} than recorded`,
    );
  }
}

/** null: nothing was said; undefined: the last word was said in a served body, or by no program. */
function comparable(
  field: keyof RunMetadata,
  { metadata, scopes = {} }: ScopedMetadata,
  isServed: (scope: number) => boolean,
): string | string[] | null | undefined {
  const value = metadata[field];
  const scope = scopes[field];
  if (scope === FROM_ENVIRONMENT) return undefined;
  if (typeof value === "string") return typeof scope === "number" && isServed(scope) ? undefined : value;
  if (value === undefined) return null;
  const left = value.filter((_, index) => !(Array.isArray(scope) && isServed(scope[index] ?? -1)));
  return left.length === 0 ? null : left;
}
