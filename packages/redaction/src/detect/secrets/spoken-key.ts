import type { Hit } from "../../scan/hit.ts";
import { isSecretName } from "../../names/secret-name.ts";
import type { Area } from "../area.ts";
import { isWord } from "../character.ts";
import { isCredential, kindsOf } from "./credential.ts";
import { labelAbove } from "./label-above.ts";
import { IS_SETTING } from "./option-value.ts";
import { entropyOf } from "./placeholder.ts";

const SPOKEN =
  /(key(?: base)?|token|secret)["'`]?(?:(?:[ \t]\([^()\n]{1,32}\)|[ \t](?:for|of|to|on|you|we|I)(?:[ \t][\w'.@-]{1,24}){1,6}?):[ \t]{1,3}|[ \t]{1,3}(?:(?:is|was|ist|lautet|es|est|now|set to|changed to|[-–—]{1,2}>?)[ \t:]{1,3}){1,2})["'`]?([^\s"'`<>{}()[\],;|\\]{8,512})/iy;
/** `my API key Xy7…`: without a word between, for what can hardly be anything else. */
const BESIDE = /(key|token|secret)["'`]?[ \t]{1,2}["'`]?([A-Za-z0-9_-]{20,256})(?![\w-])/iy;
const ARTICLE = /^(?:this|the|my|our|your)$/i;
const [R, O] = [114, 111];
const BEFORE = /([A-Za-z]{2,24})[ _-]$/;

/** `the API key is Xy7…`; the second letter of the `ke` in key and token, or of the `cr` in secret, stands at `at`. */
export function spokenKey(text: string, at: number, area: Area): Hit | null {
  // se-cr-et, to-ke-n, ke-y
  const isLater = (text.charCodeAt(at) | 32) === R || (text.charCodeAt(at - 2) | 32) === O;
  const start = at - (isLater ? 3 : 1);
  const next = text.charCodeAt(at + 1) | 32;
  // y, n and e
  if (next !== 121 && next !== 110 && next !== 101) return null;
  if (start < area.from) return null;
  SPOKEN.lastIndex = start;
  const spoken = SPOKEN.exec(text) ?? beside(text, start);
  if (spoken === null) return commandSetting(text, start, area) ?? labelAbove(text, endOfWord(text, at), area);
  const last = start + spoken[0].length;
  const [, word = "", raw = ""] = spoken;
  if (last > area.to || !isSecretWord(text, start, word, area)) return null;
  const found = raw.replace(/[.!?:]+$/, "");
  if (!isKey(found)) return null;
  const begin = last - raw.length;
  return { start: begin, end: begin + found.length, type: "AUTH", rule: "auth.assignment" };
}

/** Whether the word, with the word before it, names a secret: `key` and `token` alone are common words. */
function isSecretWord(text: string, start: number, word: string, area: Area): boolean {
  if (start > area.from && isWord(text.charCodeAt(start - 1))) return isSecretInCode(text, start, word, area);
  const before = BEFORE.exec(text.slice(Math.max(area.from, start - 26), start))?.[1];
  const name = word.toLowerCase();
  if (name.startsWith("key")) return before !== undefined && isSecretName(`${before}_${name}`);
  return name !== "token" || before === undefined || ARTICLE.test(before) || isSecretName(`${before}_token`);
}

const isKey = (found: string): boolean =>
  (found.length >= 12 || kindsOf(found) >= 3) &&
  isCredential(found, false) &&
  entropyOf(found) >= 2.8 &&
  !IS_SETTING.test(found);

const NAME_BEFORE = /[A-Za-z][\w-]{0,47}$/;
/** `apiKey is …`, `secretAccessKey is …`: a name of code in a sentence. */
export function isSecretInCode(text: string, start: number, word: string, { from }: Area): boolean {
  const before = NAME_BEFORE.exec(text.slice(Math.max(from, start - 48), start))?.[0] ?? "";
  return /^(?:[A-Z][a-z]|[A-Z]+$)/.test(word) && before !== "" && isSecretName(before + word);
}

function beside(text: string, start: number): RegExpExecArray | null {
  BESIDE.lastIndex = start;
  const spoken = BESIDE.exec(text);
  const value = spoken?.[2];
  if (value === undefined) return null;
  return kindsOf(value.replace(/[_-]/g, "")) === 3 && /\d[A-Za-z][^]*\d[A-Za-z]/.test(value) && entropyOf(value) > 3.5
    ? spoken
    : null;
}

/** Behind key, token or secret, whose second letter of the pair stands at `at`. */
const endOfWord = (text: string, at: number): number => at + ((text.charCodeAt(at) | 32) === R ? 3 : 2);

const WORD = /(?:key|token|secret)(?=[ \t])[ \t]{1,3}["']?/iy;
const VALUE = /[^\s"'`<>{}()[\],;|\\=]{12,512}/y;
const SET = /(?:^|[\s"'`$])set[ \t]{1,3}["']?((?:[\w./:@-]{1,64})?)$/;
const LONGEST_SET = 80;

/** `aws configure set aws_secret_access_key Xy7…`: a command sets it, without a sign between. */
function commandSetting(text: string, start: number, area: Area): Hit | null {
  WORD.lastIndex = start;
  if (!WORD.test(text)) return null;
  const begin = WORD.lastIndex;
  VALUE.lastIndex = begin;
  if (!VALUE.test(text) || VALUE.lastIndex > area.to) return null;
  const end = VALUE.lastIndex;
  const before = SET.exec(text.slice(Math.max(area.from, start - LONGEST_SET), start))?.[1];
  if (before === undefined || !isSecretName(before + text.slice(start, begin).trimEnd())) return null;
  const found = text.slice(begin, end);
  return isCredential(found, false) && entropyOf(found) >= 2.8
    ? { start: begin, end, type: "AUTH", rule: "auth.assignment" }
    : null;
}
