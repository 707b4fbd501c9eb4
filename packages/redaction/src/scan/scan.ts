import { withoutBareDigits } from "./bare-digits.ts";
import type { Area } from "../detect/area.ts";
import { NO_CUE } from "../detect/cue.ts";
import type { Detector } from "../detect/detector.ts";
import { DETECTORS, KNOWN_VALUE } from "../detect/detectors.ts";
import { LEAF_DETECTORS } from "../detect/leaf-detectors.ts";
import { repeated } from "../detect/repeated.ts";
import { type KnownValue, KnownValues } from "../detect/secrets/known.ts";
import { type FieldContext, NOWHERE } from "../names/field-context.ts";
import { withoutMedia } from "../scrub/media.ts";
import { folded, isWritten, parted, visible } from "./fold.ts";
import { type Hit, type RuleType, settle, TYPES } from "./hit.ts";
import { createPairTable } from "./pair-table.ts";
import { behindTokens, elsewhere, withoutTokens } from "./scan-again.ts";

const NO_RULES: ReadonlySet<string> = new Set();
const LONGEST_AGAIN = 4096;
const MOST_ROUNDS = 3;

/** Finds values in one leaf, in one pass; every look around a stop is bounded, so the time is linear. */
export interface Scanner {
  /** `field`: what the name above the leaf says */
  scan(text: string, from: number, to: number, field?: FieldContext): Hit[];
  /** values to be found exactly, anywhere; returns false if it was known already */
  learn(value: KnownValue): boolean;
}

/**
 * A scanner over the table of detectors (`detect/detectors.ts`): a table with one byte for each pair of neighbouring
 * characters says where to stop and which detectors to ask. `isOn`: of types. `offRules`: ids of single rules whose hits
 * do not count.
 */
export function createScanner(
  isOn: (type: RuleType) => boolean,
  offRules: ReadonlySet<string> = NO_RULES,
  detectors: readonly Detector[] = DETECTORS,
): Scanner {
  const known = new KnownValues();
  const stops = createPairTable<Detector>();
  const off = new Set<string>(TYPES.filter((type) => !isOn(type)));
  const leafDetectors = LEAF_DETECTORS.filter(({ types }) => ![...types].every((type) => off.has(type)));
  for (const each of detectors) {
    if ([...each.types].every((type) => off.has(type))) continue;
    for (const pair of each.pairs) stops.add(pair, each);
  }

  const readName = (name: string): Hit[] => found(name, NOWHERE, true);

  function found(text: string, field: FieldContext, isFileName = false): Hit[] {
    const hits: Hit[] = [];
    const from = 0;
    const to = text.length;
    const area: Area = {
      from,
      to,
      field,
      hits,
      known,
      pemTo: from,
      userInfoTo: from - 1,
      numberTo: from,
      colonTo: from,
      valueTo: from,
      schemeTo: from,
      cue: NO_CUE,
      fileNames: [],
      isFileName,
      hasCurl: null,
      namesCurl: null,
      hasOracle: null,
    };
    stops.walk(text, ask, area);
    for (const { find } of leafDetectors) for (const hit of find(text, area, readName)) hits.push(hit);
    return hits;
  }

  /** Hits of one leaf, without overlaps. */
  function leafHits(leaf: string, field: FieldContext): Hit[] {
    let written = isWritten(leaf);
    let hits = found(written ? parted(leaf) : leaf, field);
    // a text of one-byte characters answers both at once
    const plain = folded(leaf);
    const same = (at: number): number => at;
    if (plain !== leaf) {
      written = isWritten(plain);
      hits.push(...elsewhere(found(written ? parted(plain) : plain, field), plain, same, same));
    }
    const seen = visible(plain, written);
    if (seen !== null) {
      const start = (at: number): number => seen.starts[at] as number;
      const end = (at: number): number => seen.ends[at - 1] as number;
      hits.push(...elsewhere(found(seen.text, field), seen.text, start, end));
    }
    if (field.idLike && hits.length > 0) hits = withoutBareDigits(leaf, hits);
    if (hits.length === 0) return hits;
    hits.push(...repeated(leaf, hits));
    if (off.size > 0) hits = hits.filter((hit) => !off.has(hit.type));
    if (offRules.size > 0) hits = hits.filter((hit) => hit.rule === undefined || !offRules.has(hit.rule));
    return withoutMedia(leaf, 0, withoutTokens(leaf, settle(hits)));
  }

  function scan(text: string, from: number, to: number, field: FieldContext = NOWHERE): Hit[] {
    // what stands around a leaf must not be seen
    const leaf = from === 0 && to === text.length ? text : text.slice(from, to);
    let hits = leafHits(leaf, field);
    if (hits.length === 0) return hits;
    // a number may look different beside a token: what a second pass would find is found now
    for (let round = 0; round < MOST_ROUNDS && leaf.length <= LONGEST_AGAIN; round++) {
      const more = behindTokens(leaf, hits, (replaced) => leafHits(replaced, field));
      if (more.length === 0) break;
      hits = [...hits, ...more].sort((a, b) => a.start - b.start);
    }
    return from === 0 ? hits : hits.map((hit) => ({ ...hit, start: hit.start + from, end: hit.end + from }));
  }

  function learn({ value, type }: KnownValue): boolean {
    const pairs = known.add(value, type ?? "SECRET");
    if (pairs === null) return false;
    for (const pair of pairs) stops.add(pair, KNOWN_VALUE);
    return true;
  }
  return { scan, learn };
}

const LAST_BYTE = 0xff;

/** Asks the detectors of a stop. */
function ask(text: string, at: number, detectors: readonly Detector[], area: Area): void {
  const isWide = text.charCodeAt(at) > LAST_BYTE;
  let answered = "";
  // by index: this runs at every stop
  for (let i = 0; i < detectors.length; i++) {
    const detector = detectors[i] as Detector;
    if ((isWide && !detector.wide) || (answered !== "" && detector.group === answered)) continue;
    const found = detector.find(text, at, area);
    if (found === null) continue;
    answered = detector.group;
    if ("start" in found) area.hits.push(found);
    else area.hits.push(...found);
  }
}
