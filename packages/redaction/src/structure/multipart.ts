import type { Change } from "../scrub/change.ts";
import { shifted } from "../scrub/change.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import { barePlainChanges } from "../scrub/plain-changes.ts";
import { leafChanges } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { belowField } from "./field-path.ts";
import { octetChanges } from "./octets.ts";

const NAME = /[; ]name=(?:"([^"\r\n]{0,128})"|'([^'\r\n]{0,128})'|([^\s;"']{1,128}))/i;
/** Parts of parts: deeper ones are read as plain text. */
const DEEPEST = 2;
const FILE_NAME = /; filename="([^"\r\n]{0,512})"/i;
const TYPE = /^content-type:[ \t]*([^\r\n;]{0,128})/im;
const MULTIPART = /^multipart\//i;
const BOUNDARY = /boundary="?([^";\s]{1,200})"?/i;
const TEXT = /^(?:text\/|application\/(?:json|x-ndjson|x-www-form-urlencoded|xml|jsonl?))/i;

/** Changes in the text parts of a multipart body. Null: no boundary can be made out. Parts of other media stay. */
export function multipartChanges(
  text: string,
  mime: string,
  context: ScanContext,
  nest: Nesting,
  depth = 0,
): Change[] | null {
  const boundary = BOUNDARY.exec(mime)?.[1] ?? /^--([^\r\n]{1,200})\r?\n/.exec(text)?.[1];
  if (boundary === undefined || !text.includes(`--${boundary}`)) return null;
  const mark = `--${boundary}`;
  const out: Change[] = [];
  let from = 0;
  for (let at = text.indexOf(mark); ; at = text.indexOf(mark, from)) {
    const end = at === -1 ? text.length : at;
    out.push(...partChanges(text, from, end, context, nest, depth));
    if (at === -1) return out;
    from = at + mark.length;
  }
}

function partChanges(
  text: string,
  from: number,
  end: number,
  context: ScanContext,
  nest: Nesting,
  depth: number,
): Change[] {
  const blank = /\r?\n\r?\n/.exec(text.slice(from, Math.min(end, from + 8192)));
  if (blank === null) return [...barePlainChanges(text, from, end, context)];
  const head = text.slice(from, from + blank.index);
  const bodyFrom = from + blank.index + blank[0].length;
  const body = text.slice(bodyFrom, Math.max(bodyFrom, end)).replace(/\r?\n?$/, "");
  const [, quoted, single, bare] = NAME.exec(head) ?? [];
  const name = quoted ?? single ?? bare ?? "";
  const own = belowField(nest, name, context);
  const isDenied = own.path !== null && name !== "" && context.paths?.of(own.path) === "deny";
  const inHead = isDenied
    ? fileNameChanges(text, from, head, context, own)
    : barePlainChanges(text, from, from + blank.index, context);
  const inBody = isDenied
    ? leafChanges(body, name, context, own)
    : contentChanges(body, head, name, context, own, depth);
  return [...inHead, ...shifted(inBody, bodyFrom)];
}

/** Changes of what a part holds, by the type that its head names. */
function contentChanges(
  body: string,
  head: string,
  name: string,
  context: ScanContext,
  nest: Nesting,
  depth: number,
): readonly Change[] {
  const type = TYPE.exec(head)?.[1] ?? "text/plain";
  const parts =
    depth < DEEPEST && MULTIPART.test(type)
      ? multipartChanges(body, BOUNDARY.exec(head)?.[0] ?? "", context, nest, depth + 1)
      : null;
  if (parts !== null) return parts;
  return TEXT.test(type) || /filename="[^"]*\.(?:jsonl?|txt|md|csv|xml|ya?ml)"/i.test(head)
    ? leafChanges(body, name, context, nest)
    : octetChanges(body, type, context);
}

/** The name of a file in a denied part; the rest of its head stays, so that the part can be read. */
function fileNameChanges(text: string, from: number, head: string, context: ScanContext, nest: Nesting): Change[] {
  const found = FILE_NAME.exec(head);
  if (found === null) return [...barePlainChanges(text, from, from + head.length, context)];
  const [all, value = ""] = found;
  const start = from + found.index + all.length - 1 - value.length;
  return shifted(leafChanges(value, "filename", context, nest), start);
}
