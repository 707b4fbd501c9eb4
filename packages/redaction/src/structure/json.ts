import { type Change, shifted, unscanned } from "../scrub/change.ts";
import { plainChanges } from "../scrub/plain-changes.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import { isMedia } from "../scrub/media.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { type FieldContext, fieldContext } from "../names/field-context.ts";
import { isPieceOfText } from "../names/plain-under-secret.ts";
import { isSecretName } from "../names/secret-name.ts";
import { maySayMore } from "../names/weak-name.ts";
import { base64Text } from "./base64.ts";
import type { Cut } from "./cut.ts";
import { leafPaths } from "./leaf-paths.ts";
import { mayHoldBase64 } from "./embedded-base64.ts";
import { mayHoldFormat } from "./format-cells.ts";
import type { Frame, Leaf } from "./json-leaf.ts";
import { jsonLeaves } from "./json-leaves.ts";
import { withKeyLines } from "./key-lines.ts";
import { mayNameNumber } from "../names/name-class.ts";
import { shortestNumber } from "./leaf-names.ts";
import { decodeLiteral, encodeChanges } from "./literal.ts";
import { overlaid } from "./piece-columns.ts";
import { cutChanges } from "./record-pieces.ts";
import { nines, typedChanges } from "./typed-text.ts";

/** So many digits of a number come back as they were when it has been read. */
const EXACT_DIGITS = 15;

const SHORT = 64;
const NONE: readonly Change[] = [];

/** Changes inside the strings of a JSON text; every other byte stays. Null: the text is not JSON. `cuts`: see there. */
export function jsonChanges(
  text: string,
  context: ScanContext,
  nest: Nesting,
  cuts: Cut[] | null = null,
): readonly Change[] | null {
  const leaves = jsonLeaves(text, false, cuts, nest.path !== null);
  if (leaves === null) return null;
  const cut = cutChanges(text, leaves, context, nest);
  // a value may be cut between documents: one of them is not read without the others
  if (cut.length > 0 && cuts !== null) cuts.length = 0;
  return withKeyLines(text, overlaid(leavesChanges(text, leaves, context, nest), cut), context);
}

/** `paths`: of the leaves, where they are some of a text's leaves. */
export function leavesChanges(
  text: string,
  leaves: readonly Leaf[],
  context: ScanContext,
  nest: Nesting,
  paths: ((leaf: Leaf) => string) | null = null,
): Change[] {
  const out: Change[] = [];
  if (nest.path === null) {
    for (const leaf of leaves) for (const change of oneLeaf(text, leaf, context, nest)) out.push(change);
    return out;
  }
  const pathIn = paths ?? leafPaths(text, leaves, context, nest.path);
  for (const leaf of leaves) {
    const path = pathIn(leaf);
    const isDeniedName = leaf.isName && path !== nest.path;
    const changes = isDeniedName
      ? nameChanges(text, leaf, context, { ...nest, path })
      : oneLeaf(text, leaf, context, { ...nest, path });
    for (const change of changes) out.push(change);
  }
  return out;
}

function oneLeaf(text: string, leaf: Leaf, context: ScanContext, nest: Nesting): readonly Change[] {
  const name = nameFor(leaf);
  const isSecret = isSecretName(name) && !isPieceOfText(name, text.slice(leaf.start, leaf.end));
  const key = isSecret || !isSecretName(name) ? name : "";
  const field = !isSecret && isShort(leaf, nest) && !maySayMore(key) ? fieldContext(key) : null;
  if (field !== null && context.clean.has(text, leaf.start, leaf.end, field)) return NONE;
  const raw = text.slice(leaf.start, leaf.end);
  if (leaf.isNumber) return numberChanges(raw, leaf, context, nest);
  if (leaf.typed !== null) return shifted(typedChanges(raw, leaf, leaf.typed, context, nest), leaf.start);
  const known = field === null ? null : shortLeaf(text, leaf, raw, key, field, context);
  if (known !== null) return known;
  const read = leaf.escaped ? escapedLeaf : leafChanges;
  return shifted(read(raw, key, context, nest), leaf.start);
}

/** A short text as it stands. Inside base64 less is looked for: what is clean there need not be elsewhere. */
const isShort = ({ escaped, start, end, isNumber, typed }: Leaf, nest: Nesting): boolean =>
  !escaped && end - start <= SHORT && nest.path === null && !isNumber && !nest.encoded && typed === null;

/** Most strings of a JSON text are short and plain: they are scanned where they stand. Null: a closer look is needed. */
function shortLeaf(
  text: string,
  { start, end }: Leaf,
  raw: string,
  key: string,
  field: FieldContext,
  context: ScanContext,
): readonly Change[] | null {
  if (mayBeTakenApart(raw) || isMedia(key, raw)) return null;
  try {
    context.checkTime(raw.length);
    if (base64Text(raw) !== null || mayHoldBase64(raw)) return null;
    if (plainChanges(text, start, end, field, context, null).length > 0) return null;
    context.clean.add(raw, field);
    return NONE;
  } catch {
    return [unscanned(start, end)];
  }
}

/** Whether a short string may hold something with a structure of its own. */
const mayBeTakenApart = (raw: string): boolean =>
  startsStructure(raw.charCodeAt(0)) ||
  raw.includes("://") ||
  raw.includes("432:") ||
  raw.includes("%") ||
  endsCall(raw) ||
  mayHoldFormat(raw) ||
  raw.startsWith("data:");

/** Remembered by its source, so that history is not even decoded. Offsets count from the start of `raw`. */
function escapedLeaf(raw: string, key: string, context: ScanContext, nest: Nesting): readonly Change[] {
  const slot = context.memo.key(
    raw,
    `\\${nest.depth}${nest.encoded ? "e" : ""} ${key.length} ${key}${nest.path ?? ""}`,
  );
  const seen = slot === null ? undefined : context.memo.get(slot);
  if (seen !== undefined) return seen;
  const value = decodeLiteral(raw);
  if (value === null) return [unscanned(0, raw.length)];
  const changes = encodeChanges(
    raw,
    0,
    leafChanges(value, key, context, slot === null ? nest : { ...nest, kept: true }),
  );
  if (slot !== null && !changes.some((change) => change.type === "UNSCANNED"))
    context.memo.set(slot, changes, changes.length * 120);
  return changes;
}

/** A word of code: so that code finds its members below a denied path. */
const CODE_NAME = /^[a-z]{1,24}(?:[A-Z_][a-z]{1,24}){0,4}$/;

/** The name of a member below a denied path: one that is no word of code is data, as the key of a map is. */
function nameChanges(text: string, leaf: Leaf, context: ScanContext, nest: Nesting): readonly Change[] {
  const raw = text.slice(leaf.start, leaf.end);
  if (CODE_NAME.test(raw)) return NONE;
  const changes = leaf.escaped ? escapedLeaf(raw, "", context, nest) : leafChanges(raw, "", context, nest);
  return shifted(changes, leaf.start);
}

/** A whole number under a secret name, or under a personal one that it fits, or at a denied path, stays a number of as many digits; a denied truth value is false. */
function numberChanges(raw: string, { start, end, key }: Leaf, context: ScanContext, nest: Nesting): readonly Change[] {
  const decision = nest.path === null ? null : (context.paths?.of(nest.path) ?? null);
  if (decision === "allow") return NONE;
  const isWhole = /^-?[0-9]{3,}$/.test(raw) && raw.length >= shortestNumber(key);
  const isSecret = context.isOn("AUTH") && isSecretName(key);
  if (decision === null && !isSecret) return isWhole ? personalNumber(raw, start, key, context, nest) : NONE;
  if (!isWhole && decision !== "deny") return NONE;
  const put = isWhole ? standIn(raw) : emptied(raw);
  return put === raw ? NONE : [{ start, end, with: put, type: decision === "deny" ? "FIELD" : "AUTH" }];
}

/** What stands for a denied fraction, short number or truth value. */
const emptied = (raw: string): string => (raw === "true" || raw === "false" ? "false" : "0");

/** Nines, of which a program that reads the number and writes it again changes none. */
const standIn = (digits: string): string =>
  nines(digits).replace(/9+/, (run) => run.slice(0, EXACT_DIGITS).padEnd(run.length, "0"));

/** As a text of the same digits would go. */
function personalNumber(
  raw: string,
  start: number,
  key: string,
  context: ScanContext,
  nest: Nesting,
): readonly Change[] {
  if (!mayNameNumber(key)) return NONE;
  const [found] = leafChanges(raw, key, context, nest);
  const put = standIn(raw);
  return found === undefined || put === raw ? NONE : [{ ...found, start, end: start + raw.length, with: put }];
}

/** A bracket or a quote of inner JSON; white space before one is rare enough for the slow way. */
const startsStructure = (unit: number): boolean => unit === 123 || unit === 91 || unit === 34 || unit <= 32;

/** A bracket or a semicolon: a statement with values. */
const endsCall = (raw: string): boolean => {
  const last = raw.charCodeAt(raw.length - 1);
  return last === 41 || last === 59;
};

/** The name that decides whether the leaf is secret as a whole; `token` of log probabilities is a piece of text. */
export function nameFor(leaf: Leaf): string {
  if (leaf.isName) return "";
  if (leaf.key === "token" && (leaf.frame?.isScored === true || isUnderLogprobs(leaf.frame))) return "";
  return leaf.key;
}

function isUnderLogprobs(frame: Frame | null): boolean {
  for (let at = frame; at !== null; at = at.parent) if (at.key === "logprobs" || at.key === "top_logprobs") return true;
  return false;
}
