import type { PackEntry } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { ReadStore } from "../store/object-store.ts";
import { RANK } from "./choose-class.ts";
import { countOf, saidOf } from "./said.ts";

/** A run may lie in several packs: of earlier revisions, or as it was before something was said of it. */
export interface RunCopy {
  readonly revision: number;
  /** how much was said of it */
  readonly said: number;
  readonly class: RetentionClass;
}

export function copyOf(entry: Pick<PackEntry, "run" | "revision" | "receipt">, kept: RetentionClass): RunCopy {
  return { revision: entry.revision, said: countOf(saidOf(entry)), class: kept };
}

/**
 * For sorting, the one that counts last: the newest revision, of those the one of which most was said, then the one that is
 * kept longest.
 */
export function compareCopies(a: RunCopy, b: RunCopy): number {
  return a.revision - b.revision || a.said - b.said || RANK[a.class] - RANK[b.class];
}

/**
 * Below it lies, for every run that came back into a class that expires, `<tenant>/<run>/<revision>-<said>`: copies of the
 * run from before that count for nothing, also when it has expired.
 */
const LOWERED_PREFIX = "v1/lowered/";

export const loweredKey = (tenant: string, run: string, { revision, said }: RunCopy): string =>
  `${LOWERED_PREFIX}${tenant}/${run}/${revision}-${said}`;

export type IsVoid = (tenant: string, run: string, copy: RunCopy) => boolean;

/** Which copies count for nothing: of all runs, or of one. */
export async function readVoidCopies(
  store: Pick<ReadStore, "list">,
  of?: { readonly tenant: string; readonly run: string },
): Promise<IsVoid> {
  const lowered = new Map<string, { revision: number; said: number }>();
  for await (const { key } of store.list(LOWERED_PREFIX + (of ? `${of.tenant}/${of.run}/` : ""))) {
    const found = /^([A-Za-z0-9_-]+\/[0-9a-f]{32})\/([0-9]+)-([0-9]+)$/.exec(key.slice(LOWERED_PREFIX.length));
    if (!found) continue;
    const [, run, revision, said] = found;
    const known = lowered.get(run!);
    const next = { revision: Number(revision), said: Number(said) };
    if (!known || isBefore(known, next)) lowered.set(run!, next);
  }
  return (tenant, run, copy) => {
    const from = lowered.get(`${tenant}/${run}`);
    return from !== undefined && isBefore(copy, from);
  };
}

function isBefore(a: Omit<RunCopy, "class">, b: Omit<RunCopy, "class">): boolean {
  return a.revision < b.revision || (a.revision === b.revision && a.said < b.said);
}
