import { type Change, shifted, unscanned } from "../change.ts";
import { type Ground, idLikeName, leafChanges, plainChanges } from "../leaf.ts";
import { isMedia } from "../media.ts";
import { isSecretName } from "../secret-name.ts";
import { type Frame, jsonLeaves, type Leaf } from "./json-leaves.ts";
import { decodeLiteral, encodeChanges } from "./literal.ts";

const SHORT = 64;
const NONE: readonly Change[] = [];

/** Changes inside the strings of a JSON text; every other byte stays. Null: the text is not JSON. */
export function jsonChanges(text: string, ground: Ground, depth: number): readonly Change[] | null {
  const leaves = jsonLeaves(text);
  return leaves === null ? null : leavesChanges(text, leaves, ground, depth);
}

export function leavesChanges(text: string, leaves: readonly Leaf[], ground: Ground, depth: number): Change[] {
  const out: Change[] = [];
  for (const leaf of leaves) for (const change of oneLeaf(text, leaf, ground, depth)) out.push(change);
  return out;
}

function oneLeaf(text: string, leaf: Leaf, ground: Ground, depth: number): readonly Change[] {
  const key = nameFor(leaf);
  const raw = text.slice(leaf.start, leaf.end);
  if (isMedia(key, raw)) return [];
  // most strings of a JSON text are short and plain: they are scanned where they stand
  if (
    !leaf.escaped &&
    raw.length <= SHORT &&
    !isSecretName(key) &&
    !startsStructure(raw.charCodeAt(0)) &&
    !raw.includes("://")
  ) {
    const idLike = idLikeName(key);
    if (ground.clean.has(raw, idLike)) return NONE;
    try {
      const changes = plainChanges(text, leaf.start, leaf.end, idLike, ground);
      if (changes.length === 0) ground.clean.add(raw, idLike);
      return changes;
    } catch {
      return [unscanned(leaf.start, leaf.end)];
    }
  }
  if (!leaf.escaped) return shifted(leafChanges(raw, key, ground, depth), leaf.start);
  return shifted(escapedLeaf(raw, key, ground, depth), leaf.start);
}

/** Remembered by its source, so that history is not even decoded. Offsets count from the start of `raw`. */
function escapedLeaf(raw: string, key: string, ground: Ground, depth: number): readonly Change[] {
  const slot = ground.memo.key(raw, `\\${depth} ${key}\n`);
  const seen = slot === null ? undefined : ground.memo.get(slot);
  if (seen !== undefined) return seen;
  const value = decodeLiteral(raw);
  if (value === null) return [unscanned(0, raw.length)];
  const changes = encodeChanges(raw, 0, leafChanges(value, key, ground, depth));
  if (slot !== null && !changes.some((change) => change.type === "UNSCANNED"))
    ground.memo.set(slot, changes, changes.length * 120 + slot.length);
  return changes;
}

/** A bracket or a quote of inner JSON; white space before one is rare enough for the slow way. */
const startsStructure = (unit: number): boolean => unit === 123 || unit === 91 || unit === 34 || unit <= 32;

/** The name that decides whether the leaf is secret as a whole; `token` of log probabilities is a piece of text. */
export function nameFor(leaf: Leaf): string {
  if (leaf.isName) return "";
  if (leaf.key === "token" && isUnderLogprobs(leaf.frame)) return "";
  return leaf.key;
}

function isUnderLogprobs(frame: Frame | null): boolean {
  for (let at = frame; at !== null; at = at.parent) if (at.key === "logprobs" || at.key === "top_logprobs") return true;
  return false;
}
