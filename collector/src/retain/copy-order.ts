import type { PackEntry } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import type { ReadStore } from "../store/object-store.ts";
import { RANK } from "./choose-class.ts";
import { countOf, markListOf } from "./mark-list.ts";

/**
 * One of the copies of a run. Several packs may hold one: an earlier revision, the run before it got a mark, or what an owner of a
 * partition wrote and could not commit any more.
 */
export interface RunCopy {
  readonly revision: number;
  /** bytes of its spans, not compressed */
  readonly raw: number;
  /** number of its marks and removals */
  readonly marks: number;
  readonly class: RetentionClass;
}

export function copyOf(entry: Pick<PackEntry, "run" | "revision" | "raw" | "receipt">, kept: RetentionClass): RunCopy {
  return { revision: entry.revision, raw: entry.raw, marks: countOf(markListOf(entry)), class: kept };
}

/**
 * Sorts copies of a run, the current one last: by revision, then by the bytes of their spans, then by number of marks and removals, then by
 * how long their class is kept. Copies of one revision differ in their spans only where one of them was never
 * committed: the next owner of the partition then reads the same spans again, and may find more of them.
 */
export function compareCopies(a: RunCopy, b: RunCopy): number {
  return a.revision - b.revision || a.raw - b.raw || a.marks - b.marks || RANK[a.class] - RANK[b.class];
}

/**
 * When a run comes back into a class that expires, an empty object `<tenant>/<run>/<revision>-<marks>` is put below it:
 * copies of an earlier revision, or of this one with fewer than `<marks>` marks and removals, are void, even after the run
 * has expired.
 */
const LOWERED_PREFIX = "v1/lowered/";

export const loweredKey = (tenant: string, run: string, { revision, marks }: Omit<RunCopy, "raw">): string =>
  `${LOWERED_PREFIX}${tenant}/${run}/${revision}-${marks}`;

export type IsVoid = (tenant: string, run: string, copy: RunCopy) => boolean;

/** Tells which copies are void, of all runs or of one. */
export async function readVoidCopies(
  store: Pick<ReadStore, "list">,
  of?: { readonly tenant: string; readonly run: string },
): Promise<IsVoid> {
  const lowered = new Map<string, { revision: number; marks: number }>();
  for await (const { key } of store.list(LOWERED_PREFIX + (of ? `${of.tenant}/${of.run}/` : ""))) {
    const found = /^([A-Za-z0-9_-]+\/[0-9a-f]{32})\/([0-9]+)-([0-9]+)$/.exec(key.slice(LOWERED_PREFIX.length));
    if (!found) continue;
    const [, run, revision, marks] = found;
    const known = lowered.get(run!);
    const next = { revision: Number(revision), marks: Number(marks) };
    if (!known || isBefore(known, next)) lowered.set(run!, next);
  }
  return (tenant, run, copy) => {
    const from = lowered.get(`${tenant}/${run}`);
    return from !== undefined && isBefore(copy, from);
  };
}

function isBefore(a: Omit<RunCopy, "class" | "raw">, b: Omit<RunCopy, "class" | "raw">): boolean {
  return a.revision < b.revision || (a.revision === b.revision && a.marks < b.marks);
}
