import { applied, type Change, unscanned } from "./change.ts";
import { keyedHits } from "./keyed.ts";
import { isMedia } from "./media.ts";
import type { Nesting } from "./nesting.ts";
import { plainChanges, replacement, wholly } from "./plain-changes.ts";
import { leafChanges, type ScanContext } from "./scan-context.ts";
import { NOWHERE, type FieldContext, fieldContext } from "../names/field-context.ts";
import { DENIED } from "../token/replacement.ts";
import { isSecretName } from "../names/secret-name.ts";
import { isKeyMember } from "../names/weak-name.ts";
import { settledChanges } from "./settled.ts";
import { base64Text, textDataUrl } from "../structure/base64.ts";
import { jsonChanges } from "../structure/json.ts";
import { withBase64Runs } from "../structure/embedded-base64.ts";
import { percentChanges } from "../structure/embedded-percent.ts";
import { embeddedChanges } from "../structure/embedded-json.ts";
import { deniedCells } from "../structure/denied-cells.ts";
import { deniedPairs } from "../structure/denied-pairs.ts";
import { droppedMedia } from "../structure/octets.ts";
import { cellChanges } from "../structure/table-changes.ts";
import { united } from "../structure/united.ts";
import { tokenOfUrl } from "../structure/redacted-url.ts";
import { looksLikeUrl, urlChanges } from "../structure/url.ts";
import { narrowed, wideLeaf } from "../structure/wide.ts";

const DEEPEST = 8;
/** A longer leaf is read once: it would cost the time of another reading. */
export const LONGEST_AGAIN = 4096;
const pathSlot = ({ path }: Nesting): string => (path === null ? "" : `/${path}`);
const JSON_START = /[\s]{0,16}[[{"]/y;
/** Sealed reasoning and vectors: no policy takes them for media. */
const SEALED = /signature|encrypted|embedding/i;

/** Changes of the leaf `text`; offsets count from its start. Never throws: what fails is replaced whole. */
export function readLeaf(text: string, key: string, context: ScanContext, nest: Nesting): readonly Change[] {
  if (text.length === 0) return [];
  try {
    const decided = byPath(text, context, nest);
    if (decided !== null) return decided;
    const media = mediaChanges(text, key, context, nest);
    if (media !== null) return media;
    if (text.length > context.cap) return [unscanned(0, text.length)];
    context.checkTime(text.length);
    const token = tokenOfUrl(text);
    if (token !== null) return token;
    if (context.isOn("AUTH") && (isSecretName(key) || isKeyMember(key, text)))
      return settled(text, keyed(text, key, context, nest), key, context, nest);
    return rememberedChanges(text, key, context, nest);
  } catch {
    return [unscanned(0, text.length)];
  }
}

/** What the policy's paths decide of a leaf; null: nothing. */
function byPath(text: string, context: ScanContext, nest: Nesting): readonly Change[] | null {
  if (nest.path === null || context.paths === null) return null;
  const decision = context.paths.of(nest.path);
  if (decision === "allow") return context.paths.denies ? inner(text, NOWHERE, onlyDenied(context), nest) : [];
  return decision === "deny" ? wholly(text, DENIED, context, nest) : null;
}

/** Changes of a leaf under no secret name, from the memory of earlier leaves where it holds them. */
function rememberedChanges(text: string, key: string, context: ScanContext, nest: Nesting): readonly Change[] {
  const field = fieldContext(key);
  if (nest.kept === true) {
    const here = { ...nest, kept: false };
    return settled(text, inner(text, field, context, here), key, context, here);
  }
  // the depth is part of the key: the scanner looks into fewer levels of a text that is itself nested
  const slot = context.memo.key(text, `${field.slot} ${nest.depth}${nest.encoded ? "e" : ""}${pathSlot(nest)}`);
  const seen = slot === null ? undefined : context.memo.get(slot);
  if (seen !== undefined) return seen;
  const changes = settled(text, inner(text, field, context, nest), key, context, nest);
  if (slot !== null && !changes.some(isUnscanned)) context.memo.set(slot, changes, changes.length * 120);
  return changes;
}

/**
 * What is left of a value may look like another one beside a token, or stop looking like what it was taken for. A short
 * leaf is read until nothing changes, so that redacting twice is redacting once.
 */
function settled(
  text: string,
  changes: readonly Change[],
  key: string,
  context: ScanContext,
  nest: Nesting,
): readonly Change[] {
  if (changes.length === 0 || text.length > LONGEST_AGAIN || changes.some(isUnscanned)) return changes;
  const again = secondContext(context);
  return again === null ? changes : settledChanges(text, changes, (now) => leafChanges(now, key, again, nest));
}

/** What could not be scanned is not tried again. */
export const isUnscanned = ({ type }: Change): boolean => type === "UNSCANNED";

/** For a second reading: without asynchronous detectors, and without caches. Null: there is none. */
export function secondContext(context: ScanContext): ScanContext | null {
  if (context.again === null) return null;
  return {
    ...context,
    scanner: context.again,
    again: null,
    memo: { ...context.memo, set: () => {} },
    history: null,
  };
}

/** For what is allowed: only denied paths inside it are found. */
function onlyDenied(context: ScanContext): ScanContext {
  return {
    ...context,
    scanner: { scan: () => [], learn: () => false },
    again: null,
    memo: { ...context.memo, key: () => null },
    history: null,
    isOn: () => false,
    media: "keep",
  };
}

/** Null: the leaf is no media. */
function mediaChanges(text: string, key: string, context: ScanContext, nest: Nesting): readonly Change[] | null {
  const start = nest.encoded ? -1 : textDataUrl(text);
  if (start !== -1) {
    const inside = base64Text(text.slice(start));
    if (inside === null) return null;
    const changes = leafChanges(inside.text, "", context, { ...nest, encoded: true });
    return changes.length === 0
      ? []
      : [{ ...whole(text.length, changes), start, with: inside.encode(applied(inside.text, changes)) }];
  }
  if (!isMedia(key, text)) return null;
  if (SEALED.test(key)) return [];
  // a name alone does not make a text media
  if (!nest.encoded && base64Text(text) !== null) return null;
  return context.media === "drop" ? [droppedMedia(text.length)] : [];
}

function inner(text: string, field: FieldContext, context: ScanContext, nest: Nesting): readonly Change[] {
  const wide = wideLeaf(text);
  if (wide === null) return narrow(text, field, context, nest);
  const found = narrowed(inner(wide.text, field, context, nest), wide);
  return united(narrow(text, field, context, nest), found, (start, end, type) =>
    replacement(text, { start, end, type }, context, nest.path),
  );
}

/** Changes of a text with one unit a character. */
function narrow(text: string, field: FieldContext, context: ScanContext, nest: Nesting): readonly Change[] {
  JSON_START.lastIndex = 0;
  if (nest.depth < DEEPEST && JSON_START.test(text)) {
    const changes = jsonChanges(text, context, { ...nest, depth: nest.depth + 1 });
    if (changes !== null) return changes;
  }
  if (looksLikeUrl(text)) {
    const changes = urlChanges(text, context, nest);
    if (changes !== null) return changes;
  }
  const plain = plainChanges(text, 0, text.length, field, context, nest.path);
  if (nest.encoded) return plain;
  const encoded = encodedChanges(text, plain, context, nest);
  if (encoded !== null) return encoded;
  const both = (start: number, end: number, type: string): readonly Change[] =>
    replacement(text, { start, end, type }, context, nest.path);
  const read = (inside: string): readonly Change[] => leafChanges(inside, "", context, { ...nest, encoded: true });
  const more = nest.depth < DEEPEST ? embeddedChanges(text, context, nest) : [];
  const runs = withBase64Runs(text, otherThan(more, plain), read, both);
  const denied = [...deniedCells(text, context, nest), ...deniedPairs(text, context, nest)];
  const cells = [...cellChanges(text, context, nest), ...denied];
  return [percentChanges(text, plain, context, nest), cells, more].reduce(
    (all, found) => united(all, found, both),
    runs,
  );
}

/** Without changes of the very stretches that JSON in the text says something of: there a number stays a number. */
function otherThan(json: readonly Change[], changes: readonly Change[]): readonly Change[] {
  if (json.length === 0) return changes;
  const known = new Map(json.map(({ start, end }) => [start, end]));
  return changes.filter(({ start, end }) => known.get(start) !== end);
}

/** Changes of a leaf that is the base64 of a text; null: it is not, or nothing is in it. */
function encodedChanges(
  text: string,
  plain: readonly Change[],
  context: ScanContext,
  nest: Nesting,
): readonly Change[] | null {
  const inside = base64Text(text);
  if (inside === null) return null;
  const changes = leafChanges(inside.text, "", context, { ...nest, encoded: true });
  if (changes.length === 0) return null;
  // found in both forms: one form could be read from what is left of the other
  if (plain.length > 0) return wholly(text, plain[0]?.type ?? "SECRET", context, nest);
  return [{ ...whole(text.length, changes), with: inside.encode(applied(inside.text, changes)) }];
}

/** One change for a whole leaf, counted as the first of `changes`. */
function whole(length: number, changes: readonly Change[]): Change {
  return { ...(changes[0] as Change), start: 0, end: length };
}

function keyed(text: string, key: string, context: ScanContext, nest: Nesting): readonly Change[] {
  const hits = keyedHits(key, text, (from, to) => context.scanner.scan(text, from, to));
  return hits.flatMap((hit) => replacement(text, hit, context, nest.path));
}
