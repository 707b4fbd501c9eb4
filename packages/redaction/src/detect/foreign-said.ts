import type { Hit } from "../hit.ts";
import type { Area } from "./area.ts";
import { isCredential, kindsOf } from "./credential.ts";

/** What a password is called, without a letter that may be a capital, and the second of two characters in it that hardly stand together elsewhere. */
const NAMED: readonly (readonly [word: string, at: number])[] = [
  ["ontraseñ", 7],
  ["enha", 2],
  ["e passe", 5],
  ["арол", 2],
  ["密码", 1],
  ["密碼", 1],
  ["パスワード", 1],
  ["비밀번호", 1],
];
export const FOREIGN_PAIRS = NAMED.map(([word, at]) => word.slice(at - 1, at + 1));
const SAID =
  /[aьяю]?["'»]?[ \t]{0,2}(?:(?<=[ \t])(?:es|est|é|era|это|[—–-])(?=[ \t:])|是|为|為|は|는|은)?[ \t]{0,2}[:：]?[ \t]{0,2}["'«「“]?([!#-&(-+\--;=?-Z^-z~]{8,64})/y;

/** `la contraseña es …`, `мой пароль …`, `密码是…`: three kinds of characters behind the word, with or without a copula. */
export function foreignSaid(text: string, at: number, area: Area): Hit | null {
  const unit = text.charCodeAt(at);
  const named = NAMED.find(([word, place]) => word.charCodeAt(place) === unit && text.startsWith(word, at - place));
  if (named === undefined) return null;
  SAID.lastIndex = at - named[1] + named[0].length;
  const said = SAID.exec(text)?.[1] ?? "";
  const start = SAID.lastIndex - said.length;
  const value = said.replace(/[.!?:]+$/, "");
  const end = start + value.length;
  if (end > area.to || kindsOf(value) < 3 || /:\/\/|[/\\].*[/\\]|=/.test(value) || !isCredential(value, true))
    return null;
  return { start, end, type: "AUTH", rule: "auth.assignment" };
}
