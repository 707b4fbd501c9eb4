import { type Change, unscanned } from "./change.ts";
import { redactedJwt } from "./detect/jwt.ts";
import type { Hit, RuleType } from "./hit.ts";
import { keyedHits } from "./keyed.ts";
import { isMedia } from "./media.ts";
import type { CleanTexts } from "./clean-texts.ts";
import type { Memo } from "./memo.ts";
import type { Mint } from "./mint.ts";
import type { Scanner } from "./scan.ts";
import { isSecretName } from "./secret-name.ts";
import { jsonChanges } from "./structure/json.ts";
import { looksLikeUrl, urlChanges } from "./structure/url.ts";

/** What one scrubber knows; handed down to every leaf. */
export interface Ground {
  readonly scanner: Scanner;
  readonly mint: Mint;
  readonly memo: Memo<readonly Change[]>;
  /** short texts in which nothing was found, under names of ids and under others */
  readonly clean: CleanTexts;
  readonly isOn: (type: RuleType) => boolean;
  readonly isAllowed: (value: string) => boolean;
  /** UTF-16 units; a longer leaf is not scanned */
  readonly cap: number;
  /** throws when the time for one scrub is over */
  readonly checkTime: (units: number) => void;
}

const DEEPEST = 8;
const REMEMBERED = 2048;
const ID_NAME =
  /(?:^|[_.-])(?:id|ids|ts|time|timestamp|created|seed|hash|sha|sha256|digest|events|fingerprint|version)$|[a-z](?:Id|Ids)$/;
const JSON_START = /[\s]{0,16}[[{"]/y;

/** Changes of the leaf `text`; offsets count from its start. Never throws: what fails is replaced whole. */
export function leafChanges(text: string, key: string, ground: Ground, depth = 0): readonly Change[] {
  if (text.length === 0) return [];
  try {
    if (isMedia(key, text)) return [];
    if (text.length > ground.cap) return [unscanned(0, text.length)];
    ground.checkTime(text.length);
    if (ground.isOn("AUTH") && isSecretName(key)) return keyed(text, key, ground);
    const idLike = idLikeName(key);
    const slot = ground.memo.key(text, `${idLike ? "i" : ""}${depth < DEEPEST ? "" : "d"}`);
    const seen = slot === null ? undefined : ground.memo.get(slot);
    if (seen !== undefined) return seen;
    const changes = inner(text, idLike, ground, depth);
    if (slot !== null && !changes.some((change) => change.type === "UNSCANNED"))
      ground.memo.set(slot, changes, changes.length * 120);
    return changes;
  } catch {
    return [unscanned(0, text.length)];
  }
}

function inner(text: string, idLike: boolean, ground: Ground, depth: number): readonly Change[] {
  JSON_START.lastIndex = 0;
  if (depth < DEEPEST && JSON_START.test(text)) {
    const changes = jsonChanges(text, ground, depth + 1);
    if (changes !== null) return changes;
  }
  if (looksLikeUrl(text)) {
    const changes = urlChanges(text, ground);
    if (changes !== null) return changes;
  }
  return plainChanges(text, 0, text.length, idLike, ground);
}

function keyed(text: string, key: string, ground: Ground): readonly Change[] {
  const hits = keyedHits(key, text, (from, to) => ground.scanner.scan(text, from, to));
  return hits.flatMap((hit) => replacement(text, hit, ground));
}

/** Changes of a stretch of plain text; offsets are those of `text`. */
export function plainChanges(
  text: string,
  from: number,
  to: number,
  idLike: boolean,
  ground: Ground,
): readonly Change[] {
  const hits = ground.scanner.scan(text, from, to, { idLike });
  return hits.length === 0 ? [] : hits.flatMap((hit) => replacement(text, hit, ground));
}

const idNames = new Map<string, boolean>();

/** Whether digits under this name are an id or a time. */
export function idLikeName(key: string): boolean {
  let answer = idNames.get(key);
  if (answer === undefined) {
    answer = ID_NAME.test(key);
    if (idNames.size >= REMEMBERED) idNames.clear();
    idNames.set(key, answer);
  }
  return answer;
}

function replacement(text: string, hit: Hit, ground: Ground): Change[] {
  const value = text.slice(hit.start, hit.end);
  if (ground.isAllowed(value)) return [];
  const token = ground.mint.token(hit.type, hit.canonical ?? value.normalize("NFC"));
  const shaped = hit.type === "JWT" ? redactedJwt(value, token) : null;
  return [{ start: hit.start, end: hit.end, with: shaped ?? token, type: hit.type }];
}
