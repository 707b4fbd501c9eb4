import type { Hit } from "../scan/hit.ts";
import type { FieldContext } from "../names/field-context.ts";
import { CUE } from "./cue.ts";
import { isDate } from "./numbers/date-of-birth.ts";

const LONGEST_NAME = 80;
const LONGEST_ADDRESS = 240;
/** A port of a host, a cell of a sheet. */
const ELSEWHERE = /^(?:[\w.-]{1,253}:\d{1,5}|(?:'[^']{1,60}'|\w{1,60})!\$?[A-Z]{1,3}\$?\d{1,7}(?::.{0,12})?)$/;
const NOTHING =
  /^(?:null|none|nil|undefined|unknown|n\/?a|string|number|integer|boolean|object|array|true|false|yes|no|required|optional|redacted|\*+|x+|-+|\?+|test|example|default)$/i;

/** A leaf that is personal as a whole, because of the name it stands under. */
export function wholeValue(text: string, from: number, to: number, place: FieldContext): Hit | null {
  const { kinds } = place.cue;
  if ((kinds & (CUE.person | CUE.address | CUE.birth | CUE.postcode | CUE.code)) === 0 || to - from > LONGEST_ADDRESS)
    return null;
  const raw = text.slice(from, to);
  const value = raw.trim();
  if (value.length < 2 || NOTHING.test(value) || /[<>{}$@]|:\/\//.test(value)) return null;
  const start = from + raw.length - raw.trimStart().length;
  const end = start + value.length;
  const canonical = value.normalize("NFC").replace(/\s+/g, " ");
  if ((kinds & CUE.person) !== 0) {
    if (value.length > LONGEST_NAME || !/^[\p{L}\p{M}][\p{L}\p{M}'’. ,-]*$/u.test(value)) return null;
    return { start, end, type: "PERSON", rule: "person", canonical };
  }
  if ((kinds & CUE.code) !== 0)
    return /^(?:[A-Z]-)?\d{3,4}[ -]?\d{0,4}$/.test(value) && value.length >= 4
      ? { start, end, type: "AUTH", rule: "auth.code" }
      : null;
  if ((kinds & CUE.birth) !== 0) return isDate(value) ? { start, end, type: "BIRTH_DATE", rule: "birth-date" } : null;
  if ((kinds & CUE.postcode) !== 0)
    return /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9 -]{2,9}$/.test(value)
      ? { start, end, type: "ADDRESS", rule: "address", canonical }
      : null;
  // a street has words, and as a rule a number
  return /\p{L}{2}/u.test(value) &&
    /\d|\p{L}[ ]\p{L}/u.test(value) &&
    value.length >= 5 &&
    !ELSEWHERE.test(value) &&
    !/^(?:0x|[a-z0-9]+1)[0-9a-z]{20,}$/i.test(value)
    ? { start, end, type: "ADDRESS", rule: "address", canonical }
    : null;
}
