import type { Hit } from "../../scan/hit.ts";
import { isSecretName, maySaySecret } from "../../names/secret-name.ts";
import type { Area } from "../area.ts";
import { isWord } from "../character.ts";
import { isCredential } from "./credential.ts";

const LONGEST_NAME = 64;
const ONE = /(["'])([^"'\s\\]{8,512})\1[ \t]{0,3}[),]/y;
const TWO = /(["'])[^"'\n]{1,128}\1[ \t]{0,3},[ \t]{0,3}(["'])([^"'\s\\]{6,512})\2[ \t]{0,3}[),]/y;
/** What is asked for by name, or checked, is no value. */
const ASKS =
  /^(?:get|has|is|find|lookup|read|fetch|load|delete|remove|reset|forgot|check|validate|verify|test|expect|require|use|create|generate|parse|decode)/i;
/** `getByLabel("Password").fill(`, `find_element(By.ID, "password").send_keys(`: the field, and what is put into it. */
const FIELD =
  /\(\s?(?:[\w.]{2,20},\s?)?["'`]([^"'`\n]{2,60})["'`][^()\n]{0,40}\)\.(?:fill|type|sendKeys|send_keys|setValue|set_value)$/;
const LONGEST_FIELD = 130;
/** What the names of these, and of those that fill a field, end with. */
const LAST_OF_PAIRS = "hsl= ";
const PAIRS = /(?:BasicAuth|Credentials?|PasswordCredential|auth\s{0,2}=\s{0,2})$/i;

/** `setPassword("…")`, `.apiKey('…')`, `auth=("bob", "…")`: the quote behind the bracket stands at `at`. */
export function callArgument(text: string, at: number, area: Area): Hit | null {
  const open = at - 1;
  let start = open;
  const floor = Math.max(area.from, open - LONGEST_NAME);
  while (start > floor && isNameUnit(text.charCodeAt(start - 1))) start--;
  const pairs = LAST_OF_PAIRS.includes(text[open - 1] ?? "a") || text.startsWith("type", open - 4);
  if (!pairs && !maySaySecret(text, start, open)) return null;
  const name = text.slice(start, open);
  return named(text, at, name, area) ?? (pairs ? (filled(text, at, area) ?? paired(text, at, name, area)) : null);
}

/** `setPassword("…")`: a name that sets what is secret. */
function named(text: string, at: number, name: string, area: Area): Hit | null {
  if (name === "" || !isSecretName(name) || ASKS.test(name)) return null;
  return onlyArgument(text, at, false, area);
}

/** What is put into a field of a page that is named so. */
function filled(text: string, at: number, area: Area): Hit | null {
  const open = at - 1;
  const field = FIELD.exec(text.slice(Math.max(area.from, open - LONGEST_FIELD), open))?.[1];
  const isSecret = field !== undefined && isSecretName(/[\w-]{2,}(?=\W*$)/.exec(field)?.[0] ?? "");
  return isSecret ? onlyArgument(text, at, true, area) : null;
}

function onlyArgument(text: string, at: number, isSet: boolean, area: Area): Hit | null {
  ONE.lastIndex = at;
  const value = ONE.exec(text)?.[2];
  return value !== undefined && isCredential(value, isSet) ? hit(at + 1, value, area) : null;
}

/** `auth=("user", "…")`. */
function paired(text: string, at: number, name: string, area: Area): Hit | null {
  const open = at - 1;
  if (!PAIRS.test(name === "" ? text.slice(Math.max(area.from, open - 10), open) : name)) return null;
  TWO.lastIndex = at;
  const value = TWO.exec(text)?.[3];
  if (value === undefined || !isCredential(value, true)) return null;
  return hit(text.lastIndexOf(value, TWO.lastIndex - 1), value, area);
}

function hit(start: number, value: string, { to }: Area): Hit | null {
  const end = start + value.length;
  return end > to ? null : { start, end, type: "AUTH", rule: "auth.assignment" };
}

const isNameUnit = (unit: number): boolean => isWord(unit) || unit === 95;
