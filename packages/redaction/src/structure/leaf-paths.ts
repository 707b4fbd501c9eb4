import type { ScanContext } from "../scrub/scan-context.ts";
import { joined } from "../scrub/nesting.ts";
import { isColumnList, isRow } from "./columns.ts";
import type { Frame, Leaf } from "./json-leaf.ts";
import { decodeLiteral } from "./literal.ts";
import { isSystemMember, withRole } from "./role.ts";

/** Members that say what the value beside them is. */
const NAMES = /^(?:name|key|k|header|field|label|property|attribute|column|param(?:eter)?|field_?name|parameterkey)$/i;
const VALUES = /^(?:val(?:ue)?s?|v|parametervalue)$/i;
const LONGEST_NAME = 128;

/**
 * The path of each leaf of a text at `root`. A value whose name stands beside it (`{"name": "age", "value": 41}`, or a
 * pair in a list of pairs) has the path of that name where the policy denies it. A member's name has the path of its
 * object where that is denied, else that of the text.
 */
export function leafPaths(
  text: string,
  leaves: readonly Leaf[],
  context: ScanContext,
  root: string,
): (leaf: Leaf) => string {
  const isDenied = (path: string): boolean => context.paths?.of(path) === "deny";
  const pathIn = (leaf: Leaf): string => joined(root, pathOf(leaf));
  if (context.paths?.denies !== true) return (leaf) => (leaf.isName ? root : pathIn(leaf));
  const named = namedFrames(text, leaves, pathIn, isDenied);
  const columns = columnNames(text, leaves);
  return (leaf) => {
    const cell = columns.size === 0 ? null : cellPath(leaf, columns, pathIn, isDenied);
    if (cell !== null) return cell;
    if (leaf.isName) {
      const outer = objectPath(pathIn(leaf));
      const under = named.size === 0 ? null : pathByName(leaf, named);
      return under ?? (isDenied(outer) ? outer : root);
    }
    return (named.size === 0 ? null : pathByName(leaf, named)) ?? pathIn(leaf);
  };
}

/** Names of the columns of each table, by their indices. */
function columnNames(text: string, leaves: readonly Leaf[]): Map<Frame, string[]> {
  const columns = new Map<Frame, string[]>();
  for (const leaf of leaves) {
    const { frame, isName, isNumber, member, start, end } = leaf;
    if (frame === null || isName || isNumber || end - start > LONGEST_NAME) continue;
    const list = isColumnList(frame) ? frame : NAMES.test(member) ? frame.parent : null;
    if (list === null || !isColumnList(list) || list.parent === null) continue;
    const raw = text.slice(start, end);
    const name = leaf.escaped ? (decodeLiteral(raw) ?? raw) : raw;
    let names = columns.get(list.parent);
    if (names === undefined) columns.set(list.parent, (names = []));
    names[list === frame ? leaf.position : frame.position] = name;
  }
  return columns;
}

/** The path by which a cell of a table, or a value inside a cell, is denied: through the table's name, or through its rows. */
function cellPath(
  leaf: Leaf,
  columns: ReadonlyMap<Frame, readonly string[]>,
  pathIn: (leaf: Leaf) => string,
  isDenied: (path: string) => boolean,
): string | null {
  let { position } = leaf;
  let depth = leaf.isName ? 2 : 1;
  for (let at = leaf.frame; at !== null; at = at.parent, depth++) {
    const name = at.array && isRow(at) ? columns.get(at.parent?.parent as Frame)?.[position] : undefined;
    if (name !== undefined) {
      let row = pathIn(leaf);
      for (let n = 0; n < depth; n++) row = objectPath(row);
      const rows = objectPath(row);
      return [row, rows, objectPath(rows)].map((outer) => joined(outer, name)).find(isDenied) ?? null;
    }
    position = at.position;
  }
  return null;
}

const objectPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Objects and pairs of which one member names the other, at a denied path. */
function namedFrames(
  text: string,
  leaves: readonly Leaf[],
  pathIn: (leaf: Leaf) => string,
  isDenied: (path: string) => boolean,
): Map<Frame, string> {
  const named = new Map<Frame, string>();
  for (const leaf of leaves) {
    const { frame } = leaf;
    if (frame === null || !saysName(leaf, frame)) continue;
    const raw = text.slice(leaf.start, leaf.end);
    const name = leaf.escaped ? decodeLiteral(raw) : raw;
    if (name === null) continue;
    const own = objectPath(pathIn(leaf));
    const path = [own, objectPath(own)].map((outer) => joined(outer, name)).find(isDenied);
    if (path !== undefined) named.set(frame, path);
  }
  return named;
}

function saysName({ isName, isNumber, member, position, start, end }: Leaf, frame: Frame): boolean {
  if (isName || isNumber || end - start > LONGEST_NAME) return false;
  if (!frame.array) return NAMES.test(member);
  return position === 0 && frame.index === 2 && !isColumnList(frame);
}

function pathByName(leaf: Leaf, named: ReadonlyMap<Frame, string>): string | null {
  let member = leaf.member;
  let { position, isName } = leaf;
  for (let at = leaf.frame; at !== null; at = at.parent) {
    const path = named.get(at);
    if (path !== undefined && !isName && (at.array ? position === 1 : VALUES.test(member))) return path;
    member = at.key;
    position = at.position;
    isName = false;
  }
  return null;
}

/** `messages/0/content`: the names and indices on the path to a leaf, each with the role of the object that stands there. */
export function pathOf(leaf: Leaf): string {
  if (leaf.frame === null) return "";
  let path = leaf.frame.array ? String(leaf.position) : leaf.member;
  let outer: Frame = leaf.frame;
  let member = path;
  for (; outer.parent !== null; outer = outer.parent) {
    member = outer.parent.array ? String(outer.position) : outer.key;
    path = `${withRole(member, outer.role)}/${path}`;
  }
  // the system prompt beside the messages
  return outer.asks && isSystemMember(member)
    ? `${withRole(member, "system")}${path.slice(path.indexOf("/") === -1 ? path.length : path.indexOf("/"))}`
    : path;
}
