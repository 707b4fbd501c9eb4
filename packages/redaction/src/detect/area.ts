import type { Hit } from "../scan/hit.ts";
import type { FieldContext } from "../names/field-context.ts";
import type { Cue } from "./cue.ts";
import type { KnownValues } from "./secrets/known.ts";

/** One leaf while it is scanned. Each mark `…To` keeps a detector from looking at the same text twice. */
export interface Area {
  readonly from: number;
  readonly to: number;
  readonly field: FieldContext;
  readonly hits: Hit[];
  /** values that are found exactly */
  readonly known: KnownValues;
  /** end of the last key block: its own dashes begin no other */
  pemTo: number;
  /** the `@` behind the last user info */
  userInfoTo: number;
  /** end of the last number */
  numberTo: number;
  /** end of the last run of hexadecimal digits and colons */
  colonTo: number;
  /** end of the last value of a name: an `=` inside it is part of it */
  valueTo: number;
  /** end of the last long run of characters of credentials that was read behind a scheme */
  schemeTo: number;
  /** what was announced before the number that ended at `numberTo` */
  cue: Cue;
  /** beginnings and ends of names of files with long numbers in them */
  readonly fileNames: number[];
  /** the text is the name of a file itself: no names are looked for in it, or the work would multiply at each ending */
  readonly isFileName: boolean;
  /** `curl` stands before the first `-u` of the leaf; null: not looked for yet */
  hasCurl: boolean | null;
  /** it stands anywhere in the leaf */
  namesCurl: boolean | null;
  /** it names Oracle's driver or its shell */
  hasOracle: boolean | null;
}
