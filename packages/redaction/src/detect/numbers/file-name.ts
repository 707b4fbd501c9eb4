import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isDigit, isWord } from "../character.ts";

const LONGEST_NAME = 120;
const LEAST_DIGITS = 8;
const MOST_NAMES = 16;
/** What a name of a file begins behind. */
const BEFORE = new Set([..."_/\\\"'=([ \n\t:"].map((c) => c.charCodeAt(0)));
const ENDS = new Set([..."/\\\"'<>|?*\n\r\t,;=()[]{}"].map((c) => c.charCodeAt(0)));
const EXTENSION = /\.[A-Za-z][A-Za-z0-9]{1,4}(?:\.(?:gz|zip|bz2|xz|enc|gpg))?$/;
/** Rules that need no more than the number and the words in the name. Numbers in groups alone are times and versions. */
const TYPES: ReadonlySet<string> = new Set(["CARD", "IBAN", "SSN", "NATIONAL_ID", "PASSPORT", "BIRTH_DATE"]);
/** Types that are looked for in names of folders; other grouped numbers there are dates and build numbers. */
const FOLDER_TYPES: ReadonlySet<string> = new Set(["CARD", "IBAN"]);
const [UNDERSCORE, PLUS, DASH, POINT, SPACE, SLASH, BACKSLASH] = [95, 43, 45, 46, 32, 47, 92];
const [DOUBLE_QUOTE, QUOTE, FEED] = [34, 39, 10];

/**
 * Takes note of a number at `at` that may stand in the name of a file, where underscores and an ending are around it, or
 * that is in the name of a folder, between two slashes or at the end of a path.
 */
export function noteFileName(text: string, at: number, area: Area): void {
  const before = at === area.from ? SPACE : text.charCodeAt(at - 1);
  if (area.isFileName || !mayBeInName(before) || !hasRoom(area, at)) return;
  const limit = Math.min(area.to, at + LONGEST_NAME);
  let end = at;
  let digits = 0;
  let isName = before === UNDERSCORE;
  for (; end < limit && !endsName(text, end, digits); end++) {
    const unit = text.charCodeAt(end);
    if (isDigit(unit)) digits++;
    else isName ||= unit === UNDERSCORE || unit === POINT;
  }
  if (digits < LEAST_DIGITS) return;
  const start = nameStart(text, at, Math.max(area.from, at - LONGEST_NAME));
  if (!isName && !isFolder(text, start, end)) return;
  while (end > at && !isWord(text.charCodeAt(end - 1))) end--;
  area.fileNames.push(start, end);
}

const mayBeInName = (before: number): boolean => BEFORE.has(before) || before === PLUS || isWord(before);

/** Whether another name may be noted, and `at` is not in the last one. */
const hasRoom = ({ fileNames }: Area, at: number): boolean =>
  fileNames.length < MOST_NAMES && (fileNames.at(-1) ?? -1) <= at;

/** A character that ends a name; a space does before so many digits, but for one in a group of them. */
function endsName(text: string, at: number, digits: number): boolean {
  const unit = text.charCodeAt(at);
  return ENDS.has(unit) || (unit === SPACE && digits < LEAST_DIGITS && !isDigit(text.charCodeAt(at + 1)));
}

function nameStart(text: string, at: number, floor: number): number {
  let start = at;
  while (start > floor && isNameUnit(text.charCodeAt(start - 1))) start--;
  return start;
}

const isNameUnit = (unit: number): boolean =>
  isWord(unit) || unit === UNDERSCORE || unit === DASH || unit === POINT || unit === PLUS || unit > 127;

const isSlash = (unit: number): boolean => unit === SLASH || unit === BACKSLASH;
function isFolder(text: string, start: number, end: number): boolean {
  if (!isSlash(text.charCodeAt(start - 1))) return false;
  const unit = text.charCodeAt(end);
  return end >= text.length || isSlash(unit) || unit === DOUBLE_QUOTE || unit === QUOTE || unit === FEED;
}

/** What stands in the names of files that were noted, read with spaces for what joins their parts. */
export function inFileNames(text: string, area: Area, find: (name: string) => Hit[]): Hit[] {
  const out: Hit[] = [];
  for (let i = 0; i + 1 < area.fileNames.length; i += 2) {
    const start = area.fileNames[i] as number;
    const end = area.fileNames[i + 1] as number;
    const raw = text.slice(start, end);
    const ending = EXTENSION.exec(raw)?.[0].length ?? 0;
    const isInFolder = ending === 0 && isFolder(text, start, end);
    if (ending === 0 && !isInFolder) continue;
    const types = isInFolder ? FOLDER_TYPES : TYPES;
    const name = `${raw.slice(0, raw.length - ending).replaceAll("_", " ")}${" ".repeat(ending)}`;
    for (const hit of find(name))
      if (types.has(hit.type) || hit.rule === "phone.international")
        out.push({ ...hit, start: hit.start + start, end: hit.end + start });
  }
  return out;
}
