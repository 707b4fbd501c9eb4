import type { Hit } from "../hit.ts";
import { isSecretName } from "../secret-name.ts";
import type { Area } from "./area.ts";
import { isSpace } from "./character.ts";
import { isPlaceholder } from "./placeholder.ts";

const NAME = /[A-Za-z][\w.:-]{1,63}>/y;
const LONGEST = 512;

/** `<password>…</password>`: the value in front of `</name>`, whose `/` stands at `at`. */
export function xmlElement(text: string, at: number, area: Area): Hit | null {
  NAME.lastIndex = at + 1;
  if (!NAME.test(text) || NAME.lastIndex > area.to) return null;
  if (!isSecretName(text.slice(at + 1, NAME.lastIndex - 1))) return null;
  const end = at - 1;
  let start = end;
  const floor = Math.max(area.from, end - LONGEST);
  for (; start > floor && text.charCodeAt(start - 1) !== 62; start--)
    if (isSpace(text.charCodeAt(start - 1))) return null;
  const value = text.slice(start, end);
  if (start === floor || value.length < 6 || /^[A-Za-z][a-z]+$/.test(value) || isPlaceholder(value)) return null;
  return { start, end, type: "AUTH", rule: "auth.assignment" };
}
