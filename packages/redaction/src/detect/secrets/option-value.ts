import type { Hit } from "../../scan/hit.ts";
import { isSecretName } from "../../names/secret-name.ts";
import type { Area } from "../area.ts";
import { isDigit, isWord } from "../character.ts";
import { isCredential } from "./credential.ts";

const OPTION = /-([A-Za-z][A-Za-z0-9-]{1,40})[ \t]{1,3}["']?/y;
const LONGEST_NAME = 64;
const DASH = 45;
const CREDENTIAL_OF = "IDENTIFIED BY";
const VALUE = /[^\s"'`<>{}()[\],;|\\]{8,512}/y;
/** a setting; base64 may end with the sign too */
export const IS_SETTING = /^(?![\w+/-]{16,}={1,2}$)[^=]*=/;
/** an option, a path or an address is no value */
const NO_VALUE = /^(?:--?[A-Za-z]|https?:|[./~]|[\w.-]+@|[\w-]+\.(?:pem|key|json|ya?ml|txt|crt)$)/;

/** `--api-key Xy7…`: the second dash stands at `at`. */
export function optionValue(text: string, at: number, area: Area): Hit | null {
  if (text.charCodeAt(at - 1) !== DASH) return null;
  if (at - 2 >= area.from && (isWord(text.charCodeAt(at - 2)) || text.charCodeAt(at - 2) === DASH)) return null;
  if (!isWord(text.charCodeAt(at + 1))) return null;
  OPTION.lastIndex = at;
  const name = OPTION.exec(text)?.[1];
  const isSecret = name !== undefined && (isSecretName(name) || (name === "body" && isSecretSet(text, at, area)));
  return isSecret ? valueAt(text, OPTION.lastIndex, area) : null;
}

const SET = /\bsecret set\b[^\n|;&]{0,120}$/;
/** `gh secret set NAME --body Xy7…` */
const isSecretSet = (text: string, at: number, { from }: Area): boolean =>
  SET.test(text.slice(Math.max(from, at - 160), at));

/** `ENV DB_PASSWORD Xy7…`, `set -x API_TOKEN Xy7…`: the space behind the name stands at `at`. */
export function variableValue(text: string, at: number, area: Area): Hit | null {
  let start = at;
  let underscores = 0;
  for (const floor = Math.max(area.from, at - LONGEST_NAME); start > floor; start--) {
    const unit = text.charCodeAt(start - 1);
    if (unit === 95) underscores++;
    else if (!(unit >= 65 && unit <= 90) && !isDigit(unit)) break;
  }
  const isNamed = underscores > 0 && at - start > 3 && isSecretName(text.slice(start, at));
  if (!isNamed && !(at - start === 2 && text.startsWith(CREDENTIAL_OF, at - CREDENTIAL_OF.length))) return null;
  return valueAt(text, at + (/["']/.test(text[at + 1] ?? "") ? 2 : 1), area);
}

function valueAt(text: string, start: number, area: Area): Hit | null {
  VALUE.lastIndex = start;
  if (!VALUE.test(text) || VALUE.lastIndex > area.to) return null;
  const end = VALUE.lastIndex;
  const found = text.slice(start, end);
  if (NO_VALUE.test(found) || IS_SETTING.test(found) || !isCredential(found, true)) return null;
  return { start, end, type: "AUTH", rule: "auth.assignment" };
}
