import { RULES } from "../policy/rules.ts";
import type { Hit, RuleType } from "../scan/hit.ts";
import type { Area } from "./area.ts";
import { pairAt } from "./rarity.ts";

/**
 * What a detector says of one stop. Null: nothing is its business here, so that the next detector of its group is asked.
 * An empty list: the text is its business, and holds no value. Hits may also be pushed to `area.hits`.
 */
export type Found = Hit | readonly Hit[] | null;

/** Looks around `text[at]`, the second character of the pair at which the scan stopped. */
export type Find = (text: string, at: number, area: Area) => Found;

/** A pair of neighbouring characters; or each of several characters, where `behind` holds for the one before it. */
export type Stop = string | { readonly at: string; readonly behind?: (unit: number) => boolean };

/** What RULES.md says of a detector. The scan runs it where a type of its rules is on. */
interface Description {
  /** as RULES.md names it */
  readonly name: string;
  readonly finds: string;
  /** what a candidate has to pass */
  readonly validator: string;
  /** ids of the rules that its hits name */
  readonly rules: readonly string[];
  readonly types: ReadonlySet<RuleType>;
}

/** A row of the table of detectors that look around a stop. */
export interface Detector extends Description {
  /** the pairs at which the scan stops for it, each as `pairAt` gives it; none where they are added later */
  readonly pairs: readonly number[];
  /**
   * Whether it is asked at a character above U+00FF, too, whose low byte is that of the pair; else the second character
   * of the pair stands there. The first one is never sure.
   */
  readonly wide: boolean;
  /** most characters that it reads around one stop; Infinity: the leaf */
  readonly reach: number;
  /** Of the detectors of one group that have the same stop, only the first one that answers is asked. "": no group. */
  readonly group: string;
  readonly find: Find;
}

/** Looks at a whole leaf, behind all stops. `read`: the hits of the name of a file that stands in it. */
export type FindInLeaf = (text: string, area: Area, read: (name: string) => Hit[]) => readonly Hit[];

export interface LeafDetector extends Description {
  readonly find: FindInLeaf;
}

interface Row extends Omit<Description, "types"> {
  stops: readonly Stop[];
  wide?: boolean;
  reach: number;
  group?: string;
  find: Find;
}

const TYPE_OF: ReadonlyMap<string, RuleType> = new Map(RULES.map(({ id, type }) => [id, type]));

/** Throws for a rule that is not in the list of rules. */
export function detector(row: Row): Detector {
  const { name, finds, validator, rules, stops, wide = false, reach, group = "", find } = row;
  const types = new Set(rules.map(typeOf));
  return { name, finds, validator, rules, types, pairs: stops.flatMap(pairsOf), wide, reach, group, find };
}

export function leafDetector(row: Omit<LeafDetector, "types">): LeafDetector {
  const { name, finds, validator, rules, find } = row;
  return { name, finds, validator, rules, types: new Set(rules.map(typeOf)), find };
}

function typeOf(rule: string): RuleType {
  const type = TYPE_OF.get(rule);
  if (type === undefined) throw new Error(`a detector names the rule ${rule}, which is not in the list of rules`);
  return type;
}

const BYTE = 256;

function pairsOf(stop: Stop): number[] {
  if (typeof stop === "string") return [pairAt(stop, 1)];
  const { at, behind = () => true } = stop;
  const before = Array.from({ length: BYTE }, (_, unit) => unit).filter((unit) => behind(unit));
  return [...at].flatMap((character) => before.map((unit) => (unit << 8) | character.charCodeAt(0)));
}
