import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isCredential, kindsOf } from "./credential.ts";

/**
 * What a password is called, without the letter that may be a capital, the second of two characters in it that hardly
 * stand together elsewhere, and that letter: with one, it is a word of its own and a sign or space stands behind it.
 */
const NAMED: readonly (readonly [word: string, at: number, head?: string])[] = [
  ["ontraseñ", 7, "c"],
  ["enha", 2, "s"],
  ["e passe", 5, "d"],
  ["achtwoord", 4, "w"],
  ["asło", 2, "h"],
  ["ösenord", 1, "l"],
  ["арол", 2, "п"],
  ["密码", 1],
  ["密碼", 1],
  ["パスワード", 1],
  ["비밀번호", 1],
];
export const FOREIGN_PAIRS = NAMED.map(([word, at]) => word.slice(at - 1, at + 1));
const BEHIND =
  /[aьяю]?["'»]?[ \t]{0,2}(?:(?<=[ \t])(?:es|est|é|era|is|to|är|это|[—–-])(?=[ \t:])|是|为|為|は|는|은)?[ \t]{0,2}[:：]?[ \t]{0,2}["'«「“]?([!#-&(-+\--;=?-Z^-z~]{8,64})/y;

const LETTER = /[\p{L}\d_]/u;

/** `la contraseña es …`, `мой пароль …`, `密码是…`: three kinds of characters behind the word, with or without a copula. */
export function foreignPassword(text: string, at: number, area: Area): Hit | null {
  const unit = text.charCodeAt(at);
  const named = NAMED.find(([word, offset]) => word.charCodeAt(offset) === unit && text.startsWith(word, at - offset));
  if (named === undefined) return null;
  const [word, offset, head] = named;
  const begin = at - offset;
  if (head !== undefined && !beginsWord(text, begin - 1, head)) return null;
  BEHIND.lastIndex = begin + word.length;
  const behind = BEHIND.exec(text)?.[1] ?? "";
  const start = BEHIND.lastIndex - behind.length;
  if (head !== undefined && LETTER.test(text[start - 1] ?? "")) return null;
  const value = behind.replace(/[.!?:]+$/, "");
  const end = start + value.length;
  return end > area.to || !isPassword(value) ? null : { start, end, type: "AUTH", rule: "auth.assignment" };
}

const beginsWord = (text: string, at: number, letter: string): boolean =>
  text[at]?.toLowerCase() === letter && !LETTER.test(text[at - 1] ?? "");

/** Three kinds of characters, and no path, address or setting. */
const isPassword = (value: string): boolean =>
  kindsOf(value) >= 3 && !/:\/\/|[/\\].*[/\\]|=/.test(value) && isCredential(value, true);
