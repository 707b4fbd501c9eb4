import { type Change, shifted } from "../scrub/change.ts";
import { barePlainChanges } from "../scrub/plain-changes.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import { joined, type Nesting } from "../scrub/nesting.ts";
import type { Document, Documents } from "./documents.ts";
import { leavesChanges, nameFor } from "./json.ts";
import { pathOf } from "./leaf-paths.ts";
import type { Frame, Leaf } from "./json-leaf.ts";
import { jsonLeaves } from "./json-leaves.ts";
import { joinedChanges, joinedOrAloneChanges, type Part } from "./joined.ts";
import { withKeyLines } from "./key-lines.ts";
import { decodeLiteral, encodeChanges } from "./literal.ts";
import { isMedia } from "../scrub/media.ts";
import { overlaid } from "./piece-columns.ts";
import { PIECE_NAMES } from "./piece-names.ts";
import { ID_NAME, PADDING, RecordPieces } from "./record-pieces.ts";
import { type Hole, type Known, Shapes } from "./shapes.ts";

const LONGEST_REPEAT = 8;

/** A document that was taken apart. */
interface Taken {
  readonly document: Document;
  readonly leaves: readonly Hole[];
  /** null: its leaves are all that it holds */
  readonly known: Known | null;
}

interface Group {
  readonly key: string;
  readonly nest: Nesting;
  parts: Part[];
  last: string;
}

/**
 * Changes in a stream of documents. Strings on the same path of documents of the same kind are one value sent in
 * pieces: they are joined, scanned, and what is found is mapped back. All other strings are scanned alone.
 */
export function streamChanges(
  text: string,
  { documents, rest }: Documents,
  lines: boolean,
  context: ScanContext,
  nest: Nesting,
): readonly Change[] {
  const out: Change[] = [];
  const groups = new Map<string, Group>();
  const plain = new Map<string, Part[]>();
  const shapes = nest.path === null ? new Shapes() : null;
  const taken: Taken[] = [];
  for (const document of documents) {
    const known = shapes?.read(document) ?? null;
    const leaves = known?.holes ?? holesOf(document, lines, nest.path !== null);
    if (leaves === null) {
      putPlain(plain, document);
      continue;
    }
    taken.push({ document, leaves, known });
    const alone = gatherPieces(groups, document, leaves, out, context, nest);
    const changes = leavesChanges(document.text, alone, context, nest);
    for (const change of toSource(document, changes)) out.push(change);
    if (known === null && changes.length === 0) shapes?.learn(document, leaves, varies);
  }
  for (const group of groups.values()) out.push(...joinedChanges(group.parts, group.key, context, group.nest));
  for (const parts of plain.values()) out.push(...plainDocuments(parts, lines, context, nest));
  for (const { source, length } of rest) out.push(...barePlainChanges(text, source, source + length, context));
  const sorted = out.sort((a, b) => a.start - b.start);
  return withKeyLines(text, overlaid(sorted, cutChanges(taken, context, nest)), context);
}

/** Changes of documents that are no JSON: lines are read one by one, other events also together. */
function plainDocuments(
  parts: readonly Part[],
  lines: boolean,
  context: ScanContext,
  nest: Nesting,
): readonly Change[] {
  if (!lines) return joinedOrAloneChanges(parts, "", context, nest);
  return parts.flatMap((part) => part.toSource(leafChanges(part.value, "", context, nest)));
}

/** Changes of values that are cut between documents under names that no provider uses for pieces, or of streams that go on beside each other. */
function cutChanges(taken: readonly Taken[], context: ScanContext, nest: Nesting): readonly Change[] {
  const varying = varyingFields(taken);
  if (varying.size === 0) return [];
  const pieces = new RecordPieces(true);
  const isWanted = (leaf: Leaf): boolean => varying.has(memberPath(leaf)) || ID_NAME.test(leaf.member);
  for (const { document, leaves, known } of taken) {
    const read = new Set(leaves.flatMap(({ leaf, stream }) => (stream === null ? [] : [leaf])));
    const own = leaves.map(({ leaf }) => leaf).filter((leaf) => read.has(leaf) || isWanted(leaf));
    const all = known === null ? own : [...own, ...known.shared(isWanted)];
    const moved = (changes: readonly Change[]): Change[] => toSource(document, changes);
    pieces.add(document.event, document.text, all, null, nest, moved, (leaf) => read.has(leaf));
  }
  return pieces.changes(context);
}

/** Fields whose strings differ between documents and are not joined: the others hold no value in pieces. */
function varyingFields(taken: readonly Taken[]): Set<string> {
  const first = new Map<string, string>();
  const varying = new Set<string>();
  // what a document shares with an earlier one is seen there
  for (const { document, leaves } of taken)
    for (const { leaf, stream } of leaves) {
      if (leaf.isName || leaf.isNumber || stream !== null || leaf.member === PADDING) continue;
      const path = memberPath(leaf);
      if (varying.has(path)) continue;
      const value = document.text.slice(leaf.start, leaf.end);
      const seen = first.get(path);
      if (seen === undefined) first.set(path, value);
      else if (seen !== value) varying.add(path);
    }
  return varying;
}

/** Names apart by what their document says that it is. */
function memberPath({ frame, member }: Leaf): string {
  let at = frame;
  while (at?.parent) at = at.parent;
  return `${at?.type ?? ""} ${member}`;
}

/** Every string and number of a document; null: it is no JSON. */
function holesOf(document: Document, lines: boolean, scalars: boolean): Hole[] | null {
  const leaves = jsonLeaves(document.text, true, null, scalars);
  if (leaves === null) return null;
  return leaves.map((leaf) => ({
    leaf,
    stream: lines && !says(leaf.frame, "done") ? null : streamOf(leaf, document.event),
  }));
}

/** Padding that some hosts put into every event, against attacks by the length of messages. */
function varies(leaf: Leaf): boolean {
  return PIECE_NAMES.has(leaf.key) || leaf.key === PADDING || leaf.key === "p";
}

function putPlain(plain: Map<string, Part[]>, document: Document): void {
  const parts = plain.get(document.event);
  if (parts === undefined) plain.set(document.event, [plainPart(document)]);
  else parts.push(plainPart(document));
}

/** Puts the pieces of a document to those of their streams. Returns the other leaves, which are read alone. */
function gatherPieces(
  groups: Map<string, Group>,
  document: Document,
  leaves: readonly Hole[],
  out: Change[],
  context: ScanContext,
  nest: Nesting,
): Leaf[] {
  const alone: Leaf[] = [];
  for (const { leaf, stream } of leaves) {
    const piece = stream === null ? null : pieceOf(document, leaf);
    if (stream === null || piece === null) alone.push(leaf);
    else gather(groups, stream, piece, nameFor(leaf), out, context, nestOf(leaf, nest));
  }
  return alone;
}

/** A piece that repeats all of the piece before it belongs to a stream of snapshots: each is then a value of its own. */
function gather(
  groups: Map<string, Group>,
  path: string,
  part: Part,
  key: string,
  out: Change[],
  context: ScanContext,
  nest: Nesting,
): void {
  const group = groups.get(path);
  if (group === undefined) {
    groups.set(path, { key, parts: [part], last: part.value, nest });
    return;
  }
  if (part.value.startsWith(group.last) && group.last.trim().length >= LONGEST_REPEAT) {
    out.push(...joinedChanges(group.parts, key, context, nest));
    group.parts = [];
  }
  group.parts.push(part);
  group.last = part.value;
}

/** Whether the whole document is a piece of a line-delimited stream: those say in each line whether they are done. */
function says(frame: Frame | null, member: "done"): boolean {
  let at = frame;
  while (at?.parent) at = at.parent;
  return at?.[member] === true;
}

/** Address of a piece within its stream; null: the leaf is no piece of a longer text. */
function streamOf(leaf: Leaf, event: string): string | null {
  if (leaf.isName || leaf.isNumber || leaf.frame === null || leaf.frame.array || !PIECE_NAMES.has(leaf.key))
    return null;
  let path = leaf.key;
  let type = "";
  for (let at: Frame | null = leaf.frame; at !== null; at = at.parent) {
    if (at.key === "logprobs") path = `~${path}`;
    // an element that carries its own number is named by it: its index in the array is always 0; some pieces leave
    // the number out
    const marks = at.parent?.array && at.marks === "" ? `index=${at.position};` : at.marks;
    path = `${at.key}${at.parent?.array ? "[]" : ""}{${marks}}.${path}`;
    if (at.parent === null) type = at.type;
  }
  return type === "jsonrpc" ? null : `${event}|${type}|${path}`;
}

function nestOf(leaf: Leaf, nest: Nesting): Nesting {
  return nest.path === null ? nest : { ...nest, path: joined(nest.path, pathOf(leaf)) };
}

function pieceOf(document: Document, leaf: Leaf): Part | null {
  const raw = document.text.slice(leaf.start, leaf.end);
  const value = leaf.escaped ? decodeLiteral(raw) : raw;
  if (value === null || isMedia(leaf.key, value)) return null;
  return {
    value,
    toSource: (changes) =>
      toSource(document, leaf.escaped ? encodeChanges(raw, leaf.start, changes) : shifted(changes, leaf.start)),
  };
}

function plainPart(document: Document): Part {
  return { value: document.text, toSource: (changes) => toSource(document, changes) };
}

/** Moves changes of a document to the whole text; one that spans lines of data is cut at them. */
function toSource({ segments }: Document, changes: readonly Change[]): Change[] {
  const out: Change[] = [];
  for (const change of changes) {
    let offset = 0;
    let first = true;
    for (const { source, length } of segments) {
      const start = Math.max(change.start - offset, 0);
      const end = Math.min(change.end - offset, length);
      if (start < end || (first && start === end && start <= length && change.start >= offset)) {
        out.push({
          start: source + start,
          end: source + end,
          with: first ? change.with : "",
          type: first ? change.type : null,
          ...(first && change.rule !== undefined ? { rule: change.rule } : {}),
        });
        first = false;
      }
      offset += length + 1;
      if (offset > change.end) break;
    }
  }
  return out;
}
