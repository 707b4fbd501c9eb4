import type { Change } from "../scrub/change.ts";
import { shifted } from "../scrub/change.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import { isMedia } from "../scrub/media.ts";
import { joined, type Nesting } from "../scrub/nesting.ts";
import { pathOf } from "./leaf-paths.ts";
import type { Frame, Leaf } from "./json-leaf.ts";
import { covering, type Part } from "./joined.ts";
import { decodeLiteral, encodeChanges } from "./literal.ts";
import { addPart, type Column, PieceColumns } from "./piece-columns.ts";

/** A member that tells parallel streams apart. */
export const ID_NAME = /(?:^|_)(?:id|key|index|channel)$|[a-z](?:Id|Index)$/i;
/** Padding that some hosts put into every event, against attacks by the length of messages. */
export const PADDING = "obfuscation";
const LONGEST_ID = 128;

/** The strings of records by their paths, each of which is a column. */
export class RecordPieces {
  readonly #columns: PieceColumns;
  readonly #roots = new Map<string, RecordNode>();

  /** `areLines`: the records may be lines of one text */
  constructor(isStream: boolean, areLines = isStream) {
    this.#columns = new PieceColumns(isStream, areLines);
  }

  /**
   * The strings of one or more records. `text` is theirs; `toSource` moves changes to where it stands. `top`: the frame of
   * the list whose elements are the records; null: each outermost value is one. `isRead`: of leaves that are read elsewhere
   * together with the others of their field.
   */
  add(
    kind: string,
    text: string,
    leaves: readonly Leaf[],
    top: Frame | null,
    nest: Nesting,
    toSource: (changes: readonly Change[]) => readonly Change[],
    isRead: (leaf: Leaf) => boolean = () => false,
  ): void {
    const nodes = new Map<Frame, RecordNode>();
    let root = this.#roots.get(kind);
    if (root === undefined) this.#roots.set(kind, (root = newRecordNode()));
    const ids = idsOf(text, leaves);
    for (const leaf of leaves) {
      if (!mayBePiece(leaf)) continue;
      const part = partOf(text, leaf, toSource);
      if (part === null) continue;
      const node = nodeOf(leaf.frame, top, root, nodes);
      const name = leaf.typed === null ? leaf.member : "";
      const at = leaf.typed === null && leaf.frame !== top && leaf.frame?.array === true ? `[${leaf.position}]` : name;
      let column = node.columns.get(at);
      if (column === undefined) {
        const own = nest.path === null ? nest : { ...nest, path: joined(nest.path, pathOf(leaf)) };
        node.columns.set(at, (column = this.#columns.column(name, own, isRead(leaf))));
      }
      addPart(column, part, streamOf(leaf.frame, top, ids));
    }
  }

  changes(context: ScanContext): Change[] {
    return this.#columns.changes(context).sort((a, b) => a.start - b.start);
  }
}

/** A text or bytes that may go on in another record. */
const mayBePiece = ({ isName, isNumber, member, typed }: Leaf): boolean =>
  !isName && !isNumber && member !== PADDING && (typed === null || typed === "bytes");

/** A path in records at which objects or lists stand. */
interface RecordNode {
  readonly below: Map<string, RecordNode>;
  readonly columns: Map<string, Column>;
}

const newRecordNode = (): RecordNode => ({ below: new Map(), columns: new Map() });

/** Records are alike wherever they stand; in a record the elements of a list are told apart. */
function nodeOf(frame: Frame | null, top: Frame | null, root: RecordNode, nodes: Map<Frame, RecordNode>): RecordNode {
  if (frame === null || frame === top) return root;
  const known = nodes.get(frame);
  if (known !== undefined) return known;
  const above = nodeOf(frame.parent, top, root, nodes);
  const name = frame.parent === top ? "" : frame.parent?.array === true ? `[${frame.position}]` : frame.key;
  let node = above.below.get(name);
  if (node === undefined) above.below.set(name, (node = newRecordNode()));
  nodes.set(frame, node);
  return node;
}

function partOf(text: string, leaf: Leaf, toSource: (changes: readonly Change[]) => readonly Change[]): Part | null {
  const { start, end } = leaf;
  const raw = text.slice(start, end);
  if (leaf.typed === "bytes") {
    const bytes = Buffer.from(raw, "base64").toString("latin1");
    return {
      value: bytes,
      toSource: (changes) => {
        const [first] = changes;
        if (first === undefined) return [];
        let put = "";
        let at = 0;
        for (const change of changes) {
          put += bytes.slice(at, change.start) + change.with;
          at = change.end;
        }
        const encoded = Buffer.from(put + bytes.slice(at), "latin1").toString("base64");
        return toSource([{ ...first, start, end, with: encoded }]);
      },
    };
  }
  const value = leaf.escaped ? decodeLiteral(raw) : raw;
  if (value === null || value === "" || isMedia(leaf.key, value)) return null;
  return {
    value,
    toSource: (changes) => toSource(leaf.escaped ? encodeChanges(raw, start, changes) : shifted(changes, start)),
  };
}

/** What members of each object say of the stream that it belongs to. */
function idsOf(text: string, leaves: readonly Leaf[]): Map<Frame, string> {
  const ids = new Map<Frame, string>();
  for (const { frame, isName, member, start, end } of leaves)
    if (frame !== null && !isName && !frame.array && end - start <= LONGEST_ID && ID_NAME.test(member))
      ids.set(frame, `${ids.get(frame) ?? ""}${member}=${text.slice(start, end)};`);
  return ids;
}

function streamOf(frame: Frame | null, top: Frame | null, ids: ReadonlyMap<Frame, string>): string {
  let out = "";
  for (let at = frame; at !== null && at !== top; at = at.parent) out += at.marks + (ids.get(at) ?? "");
  return out;
}

/**
 * The strings of a text by the lists whose elements may be pieces: the outermost one, and the one that each string is
 * nearest to. `null`: the text is several documents, each of which is one.
 */
export function listsOf(leaves: readonly Leaf[]): Map<Frame | null, Leaf[]> {
  const lists = new Map<Frame | null, Leaf[]>();
  const [first] = leaves;
  const last = leaves.at(-1);
  if (first === undefined || last === undefined || first === last) return lists;
  const top = outermost(first);
  if (top === null || outermost(last) !== top) return lists.set(null, [...leaves]);
  for (const leaf of leaves) {
    if (leaf.isName || leaf.isNumber) continue;
    const nearest = nearestList(leaf);
    if (nearest !== null) put(lists, nearest, leaf);
    if (top !== nearest && isList(top)) put(lists, top, leaf);
  }
  return lists;
}

function outermost({ frame }: Leaf): Frame | null {
  let at = frame;
  while (at?.parent) at = at.parent;
  return at;
}

const isList = (frame: Frame): boolean => frame.array && frame.index > 1;

/** Objects in a list of the outermost object are turns of a conversation: each is read alone, so that it need not be read again. */
function nearestList({ frame }: Leaf): Frame | null {
  let at = frame;
  while (at !== null && !isList(at)) at = at.parent;
  const isTurns = at !== null && at !== frame && at.parent !== null && !at.parent.array && at.parent.parent === null;
  return isTurns ? null : at;
}

/** Whether a list holds texts alone: where other things stand beside them, they are no lines of one text. */
const isOfTexts = (list: Frame, leaves: readonly Leaf[]): boolean =>
  leaves.length === list.index && leaves.every(({ frame, typed }) => frame === list && typed === null);

function put(lists: Map<Frame | null, Leaf[]>, list: Frame, leaf: Leaf): void {
  const known = lists.get(list);
  if (known === undefined) lists.set(list, [leaf]);
  else known.push(leaf);
}

/** Changes of values that are cut between documents of a text, or between elements of its lists. */
export function cutChanges(text: string, leaves: readonly Leaf[], context: ScanContext, nest: Nesting): Change[] {
  const out: Change[] = [];
  for (const [list, own] of listsOf(leaves)) {
    if (own.length < 2) continue;
    const pieces = new RecordPieces(list === null, list === null || isOfTexts(list, own));
    pieces.add("", text, own, list, nest, (found) => found);
    out.push(...pieces.changes(context));
  }
  return covering(out);
}
