import type { CleanTexts } from "../cache/clean-texts.ts";
import type { History } from "../cache/history.ts";
import type { Memo } from "../cache/memo.ts";
import type { PathPolicy } from "../policy/path-policy.ts";
import type { RuleType } from "../scan/hit.ts";
import type { Scanner } from "../scan/scan.ts";
import type { Replace } from "../token/replacement.ts";
import type { Change } from "./change.ts";
import { type Nesting, TOP } from "./nesting.ts";

/** What one scrubber knows; handed down to every leaf. */
export interface ScanContext {
  readonly scanner: Scanner;
  /** reads what redaction has made of a leaf once more; null: it is not read again */
  readonly again: Scanner | null;
  readonly replace: Replace;
  readonly paths: PathPolicy | null;
  readonly memo: Memo<readonly Change[]>;
  /** null: what is found in a leaf depends on more than the leaf and its key */
  readonly history: History | null;
  /** short texts in which nothing was found, under names of ids and under others */
  readonly clean: CleanTexts;
  /** whether values under names of this type are looked for */
  readonly isOn: (type: RuleType) => boolean;
  /** UTF-16 units; a longer leaf is not scanned */
  readonly cap: number;
  readonly media: "keep" | "drop";
  /** reads a leaf with all that may stand in it; `leafChanges` calls it */
  readonly readLeaf: ReadLeaf;
  /** throws when the time for one scrub is over */
  readonly checkTime: (units: number) => void;
}

/** Changes of the leaf `text` under the name `key`; offsets count from its start. Never throws. */
export type ReadLeaf = (text: string, key: string, context: ScanContext, nest: Nesting) => readonly Change[];

/**
 * Changes of a leaf. A structure calls this for its leaves, and a leaf may hold a structure: so the reader comes with
 * the context, and the files of structures do not import it.
 */
export function leafChanges(text: string, key: string, context: ScanContext, nest: Nesting = TOP): readonly Change[] {
  return context.readLeaf(text, key, context, nest);
}
