import type { Hit } from "../../scan/hit.ts";
import { FOREIGN_PASSWORDS } from "../../names/foreign-passwords.ts";
import { nameWords } from "../../names/name-words.ts";
import type { Area } from "../area.ts";
import { kindsOf } from "./credential.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Names of passwords and of nothing else, by their last word. Others (`token`, `secret`) hold long values. */
const NAMES = new Set("password passwd passphrase passwort kennwort pwd passcode pw contrasena clave".split(" "));
const GLUED = /[a-z](?:password|passwd|passwort|pwd)$/;
const SHORT = /[ \t]{0,3}\\?("{1,2}|['`]?)([^\s"'`<>{}()[\],;|\\&]{4,7})(?:\\?\1(?=[\s,;&})\]]|$)|(?=[\s,;&]|$))/y;
const EQUALS = 61;
/** A number with its unit, a count, a version, an option, a path. */
const OTHER = /^(?:\d+[a-z]{0,3}|\$\d|v?\d[\d.]*|--?\w+|[./~].*|\w+=.*|\w+:\w*|[a-z]+\.[a-z]+|[a-z_]+\d?\.\w+)$/i;

/**
 * `password=abc12`, `"passwd": "s3cr"`: four to seven characters behind the name of a password, letters and something
 * else. Behind a colon without quotes, where prose goes on too, nothing else may stand in the line.
 */
export function shortPassword(text: string, at: number, name: string, area: Area): Hit | null {
  if (!isPasswordName(name)) return null;
  SHORT.lastIndex = at + 1;
  const [, quote = "", found = ""] = SHORT.exec(text) ?? [];
  if (found === "" || SHORT.lastIndex > area.to) return null;
  const end = SHORT.lastIndex - found.length < at ? at : text.indexOf(found, at + 1) + found.length;
  if (quote === "" && text.charCodeAt(at) !== EQUALS && !/^[ \t]*(?:[\r\n,;]|$)/.test(text.slice(end, end + 4)))
    return null;
  if (!mayBePassword(found)) return null;
  area.valueTo = Math.max(area.valueTo, end);
  return { start: end - found.length, end, type: "AUTH", rule: "auth.assignment" };
}

function mayBePassword(found: string): boolean {
  if (!/[A-Za-z]/.test(found) || kindsOf(found) < 2 || OTHER.test(found) || isPlaceholder(found)) return false;
  // a capital alone begins a word
  return !/^[A-Z]?[a-z]+[.!?]?$/.test(found) && !/^[A-Z]+$/.test(found);
}

function isPasswordName(name: string): boolean {
  const last = nameWords(name).at(-1) ?? "";
  return NAMES.has(last) || FOREIGN_PASSWORDS.has(last) || GLUED.test(last);
}
