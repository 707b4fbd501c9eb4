import { type Change, shifted } from "../scrub/change.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import { joined, type Nesting } from "../scrub/nesting.ts";

/** A name and the sign behind it, where a setting, a member or an attribute may begin. */
const PAIR = /(?<![\w.$-])(["'`]?)([\p{L}_][\p{L}\p{N}_.$-]{0,63})\1[ \t]{0,8}(=>|:=|[=:])(?![=:/])[ \t]{0,8}/gu;
const LINE_PAIR = /^([ \t]*(?:- +)*)(["']?)([\p{L}_][\p{L}\p{N}_. $-]{0,63})\2[ \t]{0,4}:(?:[ \t]+|$)/u;
const TAG = /<(\/?)([\p{L}_][\p{L}\p{N}_.:-]{0,63})((?:\s[^<>]{0,4096})?)(\/?)>/gu;
/** A word of code: below a denied place names stay where code reads them. */
const CODE_NAME = /^[a-z]{1,24}(?:[A-Z_][a-z]{1,24}){0,4}$/;
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const LONGEST_BLOCK = 64 * 1024;

/**
 * Changes at places that a policy denies and that a text names itself: `age=41`, `age: 41`, a block of YAML, an element of
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

/** Lines of YAML below a denied name, as far as they stand further in. */
function blocks(text: string, context: ScanContext, nest: Nesting): Change[] {
  const out: Change[] = [];
  const above: { indent: number; name: string }[] = [];
  let denied: { indent: number; path: string } | null = null;
  for (let at = 0; at < text.length;) {
    const feed = text.indexOf("\n", at);
    const end = feed === -1 ? text.length : feed;
    const line = text.slice(at, end);
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const isBlank = line.trim() === "";
    const item = /^[ \t]*(?:- +)*/.exec(line)?.[0].length ?? indent;
    if (denied !== null && !isBlank && (indent > denied.indent || (indent === denied.indent && item > indent))) {
      const pair = LINE_PAIR.exec(line);
      const keeps = pair !== null && CODE_NAME.test(pair[3] ?? "") ? pair[0].length : item;
      if (!/^[|>][-+0-9]{0,2}$/.test(line.slice(keeps).trim()))
        out.push(...gone(text, at + keeps, end, denied.path, context, nest));
    } else if (!isBlank) {
      denied = null;
      const pair = LINE_PAIR.exec(line);
      while (above.length > 0 && (above.at(-1) as { indent: number }).indent >= item) above.pop();
      if (pair !== null) {
        const name = pair[3] ?? "";
        const path = deniedPath([...above.map((each) => each.name), name], context, nest);
        if (path !== null) {
          denied = { indent: item, path };
          const value = line.slice(pair[0].length).trim();
          if (!/^[|>][-+0-9]{0,2}$/.test(value)) {
            const quote = /^(["'])([^]*)\1$/.exec(value);
            const from = at + line.indexOf(value, pair[0].length);
            if (quote === null) out.push(...gone(text, from, from + value.length, path, context, nest));
            else out.push(...gone(text, from + 1, from + value.length - 1, path, context, nest));
          }
        } else above.push({ indent: item, name });
      }
    }
    at = end + 1;
  }
  return out;
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
    const [all, closes, name = "", attributes = "", isEmpty] = found;
    if (denied !== null) out.push(...content(text, from, found.index, denied.path, context, nest));
    from = found.index + all.length;
    if (closes === "/") {
      const depth = open.lastIndexOf(name);
      if (depth !== -1) open.length = depth;
      if (denied !== null && open.length < denied.depth) denied = null;
      continue;
    }
    const local = name.slice(name.indexOf(":") + 1);
    const path: string | null = denied?.path ?? deniedPath([...open, local], context, nest);
    if (path !== null) {
      const begin = found.index + 1 + name.length;
      for (const { 0: pair, 2: value = "", index } of attributes.matchAll(/=\s*(["'])([^]*?)\1/g)) {
        const start = begin + index + pair.length - 1 - value.length;
        out.push(...gone(text, start, start + value.length, path, context, nest));
      }
    }
    if (isEmpty === "/") continue;
    open.push(name);
    if (denied === null && path !== null) denied = { depth: open.length, path };
  }
  if (denied !== null) out.push(...content(text, from, text.length, denied.path, context, nest));
  return out;
}

const CDATA = /^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/;

function content(text: string, from: number, to: number, path: string, context: ScanContext, nest: Nesting): Change[] {
  const inside = CDATA.exec(text.slice(from, to))?.[1];
  if (inside === undefined) return gone(text, from, to, path, context, nest);
  const start = from + text.slice(from, to).indexOf("<![CDATA[") + 9;
  return gone(text, start, start + inside.length, path, context, nest);
}
