import type { Hit } from "../scan/hit.ts";
import type { Area } from "./area.ts";

const LONGEST_LOCAL = 96;
const DOT = String.raw`(?:[ \t]{0,2}(?:\.|[(\[{][ \t]?dot[ \t]?[)\]}])[ \t]{0,2}|[ \t]{1,2}dot[ \t]{1,2})`;
const LOCAL = new RegExp(
  String.raw`[A-Za-z0-9][A-Za-z0-9_%+-]{0,40}(?:${DOT}[A-Za-z0-9_%+-]{1,40}){0,3}[ \t]{0,2}[(\[{][ \t]?$`,
  "i",
);
const DOMAIN = new RegExp(
  String.raw`[ \t]?[)\]}][ \t]{0,2}([A-Za-z0-9][A-Za-z0-9-]{0,62}(?:${DOT}[A-Za-z0-9-]{1,62}){0,3}${DOT}[A-Za-z]{2,24})(?![A-Za-z0-9_-])`,
  "iy",
);
const DOTS = new RegExp(DOT, "gi");
/** Inside brackets with a space: `( at )`. */
const [SPACE, T, A] = [32, 116, 97];

/** `jane (at) example (dot) com`, `jane [at] example.com`; the bracket behind `at` stands at `at`. */
export function writtenEmail(text: string, at: number, area: Area): Hit | null {
  const last = text.charCodeAt(at - 1) === SPACE ? at - 2 : at - 1;
  if ((text.charCodeAt(last) | 32) !== T || (text.charCodeAt(last - 1) | 32) !== A) return null;
  const open = last - 1;
  const before = LOCAL.exec(text.slice(Math.max(area.from, open - LONGEST_LOCAL), open));
  if (before === null) return null;
  DOMAIN.lastIndex = last + 1;
  const domain = DOMAIN.exec(text)?.[1];
  if (domain === undefined || DOMAIN.lastIndex > area.to) return null;
  const start = open - before[0].length;
  const local = before[0].replace(/[ \t]{0,2}[([{][ \t]?$/, "");
  const address = `${local.replace(DOTS, ".")}@${domain.replace(DOTS, ".")}`;
  return { start, end: DOMAIN.lastIndex, type: "EMAIL", rule: "email", canonical: address.toLowerCase() };
}
