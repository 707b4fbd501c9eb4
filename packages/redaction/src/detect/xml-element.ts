import type { Hit } from "../scan/hit.ts";
import { isSecretName, maySaySecret } from "../names/secret-name.ts";
import { isKeyMember, maySayMore } from "../names/weak-name.ts";
import type { Area } from "./area.ts";
import { isSpace } from "./character.ts";
import { isCredential } from "./secrets/credential.ts";
import { namedElement } from "./named-setting.ts";
import { entropyOf, isPlaceholder } from "./secrets/placeholder.ts";

const NAME = /[\p{L}_][\p{L}\p{M}\w.:-]{1,63}>/uy;
const LONGEST = 512;
/** with white space between */
const LONGEST_WORDS = 120;
/** A word that can hardly be one of prose. */
const SHORTEST_RANDOM = 20;
const LEAST_ENTROPY = 3;
/** `</th><td>` and the like, and the value behind. */
const NEXT_CELL =
  /<\/\w{1,6}>[\s:]{0,16}(?:<\/\w{1,6}>[\s:]{0,16})?(?:<(?:td|dd|code|span|string)(?:\s[^<>]{0,80})?>\s{0,8}){1,2}([^\s<>]{8,512})(?=\s{0,8}<)/iy;
const LONGEST_LABEL = 48;
const LONGEST_ENDING = 12;
const COLON = 58;

/** `<password>…</password>`: the value in front of `</name>`, whose `/` stands at `at`. */
export function xmlElement(text: string, at: number, area: Area): Hit | null {
  NAME.lastIndex = at + 1;
  if (!NAME.test(text) || NAME.lastIndex > area.to) return labelled(text, at, area);
  const nameEnd = NAME.lastIndex - 1;
  const name = text.slice(at + 1, nameEnd);
  const isWeak = maySayMore(name);
  const isSecret = isWeak || (maySaySecret(text, at + 1, nameEnd) && isSecretName(name));
  const found = isSecret ? secretElement(text, at, area) : null;
  if (!isSecret || (isWeak && (found === null || !isKeyMember(name, text.slice(found.start, found.end)))))
    return namedElement(text, at, name, area) ?? labelled(text, at, area);
  return found;
}

/** The value of an element with a secret name, whose closing `/` stands at `at`. */
function secretElement(text: string, at: number, area: Area): Hit | null {
  let end = at - 1;
  // <![CDATA[…]]>
  const isData = text.startsWith("]]>", end - 3);
  const opening = isData ? "<![CDATA[" : ">";
  if (isData) end -= 3;
  let start = end;
  let isOneWord = true;
  let floor = Math.max(area.from, end - LONGEST);
  for (; start > floor && !text.startsWith(opening, start - opening.length); start--) {
    if (!isSpace(text.charCodeAt(start - 1))) continue;
    if (isOneWord) floor = Math.max(floor, start - LONGEST_WORDS);
    isOneWord = false;
  }
  if (start === floor) return null;
  const value = text.slice(start, end);
  if (!(isOneWord && !/^\{[^{}]*\}$/.test(value) ? isSecretWord(value) : holdsRandom(value))) return null;
  end -= value.length - value.trimEnd().length;
  start += value.length - value.trimStart().length;
  return { start, end, type: "AUTH", rule: "auth.assignment" };
}

const isSecretWord = (value: string): boolean =>
  value.length >= 6 && !/^[A-Za-z][a-z]+$/.test(value) && !isPlaceholder(value);

/** In braces, or with other words: a random one is none of prose. */
const holdsRandom = (value: string): boolean =>
  value.length >= SHORTEST_RANDOM && !value.includes("<") && value.split(/[\s{}]+/).some(isRandom);

const isRandom = (word: string): boolean =>
  word.length >= SHORTEST_RANDOM && isCredential(word, false) && entropyOf(word) >= LEAST_ENTROPY;

/** Where the label in front of a closing tag ends, without a colon. */
function labelEnd(text: string, at: number, { from }: Area): number {
  let end = at - 1;
  while (end > from && (isSpace(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === COLON) && at - end < 5) end--;
  return end;
}

/** `<th>API secret</th><td>…`, `<dt>Password</dt><dd><code>…`: the cell behind a secret name; `/` stands at `at`. */
function labelled(text: string, at: number, area: Area): Hit | null {
  // most cells end with a digit, or with another tag
  const last = text.charCodeAt(at - 2);
  if (last === 62 || (last >= 48 && last < COLON)) return null;
  const end = labelEnd(text, at, area);
  if (!maySaySecret(text, Math.max(area.from, end - LONGEST_ENDING), end)) return null;
  const floor = Math.max(area.from, end - LONGEST_LABEL);
  let start = end;
  while (start > floor && text.charCodeAt(start - 1) !== 62) start--;
  if (start === floor || !isSecretName(text.slice(start, end).trimStart())) return null;
  NEXT_CELL.lastIndex = at - 1;
  const value = NEXT_CELL.exec(text)?.[1];
  if (value === undefined || NEXT_CELL.lastIndex > area.to || !isCredential(value, true)) return null;
  return { start: NEXT_CELL.lastIndex - value.length, end: NEXT_CELL.lastIndex, type: "AUTH", rule: "auth.assignment" };
}
