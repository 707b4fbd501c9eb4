import { type Change, shifted } from "../scrub/change.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import { joined, type Nesting } from "../scrub/nesting.ts";

/** A name and the sign behind it, where a setting, a member or an attribute may begin. */
const PAIR = /(?<![\w.$-])(["'`]?)([\p{L}_][\p{L}\p{N}_.$-]{0,63})\1[ \t]{0,8}(=>|:=|[=:])(?![=:/])[ \t]{0,8}/gu;
const LINE_PAIR = /^([ \t]*(?:- +)*)(["']?)([\p{L}_][\p{L}\p{N}_. $-]{0,63})\2[ \t]{0,4}:(?:[ \t]+|$)/u;
const TAG = /<(\/?)([\p{L}_][\p{L}\p{N}_.:-]{0,63})((?:\s[^<>]{0,4096})?)(\/?)>/gu;
/** A word of code: below a denied path names stay where code reads them. */
const CODE_NAME = /^[a-z]{1,24}(?:[A-Z_][a-z]{1,24}){0,4}$/;
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const LONGEST_BLOCK = 64 * 1024;

/**
 * Changes at paths that a policy denies and that a text names itself: `age=41`, `age: 41`, a block of YAML, an element of
 * XML, with all that stands below.
 */
export function deniedPairs(text: string, context: ScanContext, nest: Nesting): Change[] {
  if (nest.path === null || context.paths?.denies !== true) return [];
  return [...pairs(text, context, nest), ...blocks(text, context, nest), ...elements(text, context, nest)];
}

/** The denied path that names from the outside in have in a text at `nest`; null: none. */
function deniedPath(names: readonly string[], { paths }: ScanContext, { path }: Nesting): string | null {
  const at = path ?? "";
  const last = names.at(-1) ?? "";
  const ways = [names.join("/"), last, last.replaceAll(".", "/")].map((way) => joined(at, way));
  return ways.find((way) => paths?.of(way) === "deny") ?? null;
}

/** The stretch `text[start, end)` without white space around it goes whole. */
function gone(text: string, start: number, end: number, path: string, context: ScanContext, nest: Nesting): Change[] {
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  return start === end ? [] : shifted(leafChanges(text.slice(start, end), "", context, { ...nest, path }), start);
}

function pairs(text: string, context: ScanContext, nest: Nesting): Change[] {
  const out: Change[] = [];
  PAIR.lastIndex = 0;
  for (let found = PAIR.exec(text); found !== null; found = PAIR.exec(text)) {
    const [all, , name = ""] = found;
    const path = deniedPath([name], context, nest);
    if (path === null) continue;
    const start = found.index + all.length;
    const [from, to] = valueOf(text, start);
    out.push(...gone(text, from, to, path, context, nest));
    PAIR.lastIndex = Math.max(to, start);
  }
  return out;
}

/** Where a value stands that begins at `start`: in quotes or brackets, else up to a sign, a line end, or the next pair. */
function valueOf(text: string, start: number): [from: number, to: number] {
  const first = text[start] ?? "";
  if (first === '"' || first === "'" || first === "`") {
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === first) return [start + 1, at];
    }
    return [start + 1, text.length];
  }
  const close = CLOSING[first];
  if (close !== undefined) {
    let depth = 0;
    const most = Math.min(text.length, start + LONGEST_BLOCK);
    for (let at = start; at < most; at++) {
      if (text[at] === first) depth++;
      else if (text[at] === close && --depth === 0) return [start, at + 1];
    }
    return [start, most];
  }
  const end = /[,;&|<>)}\]\r\n]|\s[\p{L}_][\p{L}\p{N}_.$-]{0,63}[ \t]{0,4}[=:]/u.exec(
    text.slice(start, start + LONGEST_BLOCK),
  );
  return [start, end === null ? Math.min(text.length, start + LONGEST_BLOCK) : start + end.index];
}

/** A line of YAML, `text[start, end)`. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** of its first character */
  readonly indent: number;
  /** of what stands behind the dashes of a list */
  readonly item: number;
}

/** A denied name and where it stands. */
interface Denied {
  readonly indent: number;
  readonly path: string;
}

/** What begins a text of several lines. */
const BLOCK_MARK = /^[|>][-+0-9]{0,2}$/;

/** Lines of YAML below a denied name, as far as they stand further in. */
function blocks(text: string, context: ScanContext, nest: Nesting): Change[] {
  const out: Change[] = [];
  const above: { readonly indent: number; readonly name: string }[] = [];
  let denied: Denied | null = null;
  for (let at = 0; at < text.length;) {
    const line = lineAt(text, at);
    at = line.end + 1;
    if (line.text.trim() === "") continue;
    if (denied !== null && isBelow(line, denied)) {
      out.push(...lineBelow(text, line, denied.path, context, nest));
      continue;
    }
    denied = null;
    while ((above.at(-1)?.indent ?? -1) >= line.item) above.pop();
    const [pair, , , name = ""] = LINE_PAIR.exec(line.text) ?? [];
    if (pair === undefined) continue;
    const path = deniedPath([...above.map((each) => each.name), name], context, nest);
    if (path === null) above.push({ indent: line.item, name });
    else {
      denied = { indent: line.item, path };
      out.push(...lineValue(text, line, pair.length, path, context, nest));
    }
  }
  return out;
}

function lineAt(text: string, start: number): Line {
  const feed = text.indexOf("\n", start);
  const end = feed === -1 ? text.length : feed;
  const line = text.slice(start, end);
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return { text: line, start, end, indent, item: /^[ \t]*(?:- +)*/.exec(line)?.[0].length ?? indent };
}

/** Further in than a denied name, or an element of its list. */
const isBelow = ({ indent, item }: Line, denied: Denied): boolean =>
  indent > denied.indent || (indent === denied.indent && item > indent);

/** A line below a denied name, without a name that code reads. */
function lineBelow(text: string, line: Line, path: string, context: ScanContext, nest: Nesting): Change[] {
  const pair = LINE_PAIR.exec(line.text);
  const keeps = pair !== null && CODE_NAME.test(pair[3] ?? "") ? pair[0].length : line.item;
  if (BLOCK_MARK.test(line.text.slice(keeps).trim())) return [];
  return gone(text, line.start + keeps, line.end, path, context, nest);
}

/** The value beside a denied name, which ends with so many characters of the line. */
function lineValue(
  text: string,
  line: Line,
  behind: number,
  path: string,
  context: ScanContext,
  nest: Nesting,
): Change[] {
  const value = line.text.slice(behind).trim();
  if (BLOCK_MARK.test(value)) return [];
  const from = line.start + line.text.indexOf(value, behind);
  const quotes = /^(["'])([^]*)\1$/.test(value) ? 1 : 0;
  return gone(text, from + quotes, from + value.length - quotes, path, context, nest);
}

/** Texts and attributes of a denied element, and of all in it. */
function elements(text: string, context: ScanContext, nest: Nesting): Change[] {
  if (!text.includes("<")) return [];
  const out: Change[] = [];
  const open: string[] = [];
  let denied = null as { depth: number; path: string } | null;
  let from = 0;
  TAG.lastIndex = 0;
  for (let found = TAG.exec(text); found !== null; found = TAG.exec(text)) {
    if (denied !== null) out.push(...content(text, from, found.index, denied.path, context, nest));
    const tag = tagOf(found);
    from = tag.end;
    if (tag.closes) {
      close(open, tag.name);
      if (denied !== null && open.length < denied.depth) denied = null;
      continue;
    }
    const local = tag.name.slice(tag.name.indexOf(":") + 1);
    const path: string | null = denied?.path ?? deniedPath([...open, local], context, nest);
    if (path !== null) out.push(...attributeChanges(text, tag, path, context, nest));
    if (tag.isEmpty) continue;
    open.push(tag.name);
    if (denied === null && path !== null) denied = { depth: open.length, path };
  }
  if (denied !== null) out.push(...content(text, from, text.length, denied.path, context, nest));
  return out;
}

interface Tag {
  readonly name: string;
  readonly attributes: string;
  /** where the attributes begin */
  readonly behindName: number;
  readonly end: number;
  /** `</name>` */
  readonly closes: boolean;
  /** `<name/>` */
  readonly isEmpty: boolean;
}

function tagOf({ 0: all, 1: slash, 2: name = "", 3: attributes = "", 4: last, index }: RegExpExecArray): Tag {
  const behindName = index + 1 + name.length;
  return { name, attributes, behindName, end: index + all.length, closes: slash === "/", isEmpty: last === "/" };
}

/** Closes the last open element of a name, and all in it. */
function close(open: string[], name: string): void {
  const depth = open.lastIndexOf(name);
  if (depth !== -1) open.length = depth;
}

function attributeChanges(
  text: string,
  { attributes, behindName }: Tag,
  path: string,
  context: ScanContext,
  nest: Nesting,
): Change[] {
  const out: Change[] = [];
  for (const { 0: pair, 2: value = "", index } of attributes.matchAll(/=\s*(["'])([^]*?)\1/g)) {
    const start = behindName + index + pair.length - 1 - value.length;
    out.push(...gone(text, start, start + value.length, path, context, nest));
  }
  return out;
}

const CDATA = /^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/;

function content(text: string, from: number, to: number, path: string, context: ScanContext, nest: Nesting): Change[] {
  const inside = CDATA.exec(text.slice(from, to))?.[1];
  if (inside === undefined) return gone(text, from, to, path, context, nest);
  const start = from + text.slice(from, to).indexOf("<![CDATA[") + 9;
  return gone(text, start, start + inside.length, path, context, nest);
}
