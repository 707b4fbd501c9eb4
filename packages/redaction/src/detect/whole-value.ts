import type { Hit, RuleType } from "../scan/hit.ts";
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
export function wholeValue(text: string, from: number, to: number, field: FieldContext): Hit | null {
  const { kinds } = field.cue;
  if ((kinds & (CUE.person | CUE.address | CUE.birth | CUE.postcode | CUE.code)) === 0 || to - from > LONGEST_ADDRESS)
    return null;
  const raw = text.slice(from, to);
  const value = raw.trim();
  if (value.length < 2 || NOTHING.test(value) || /[<>{}$@]|:\/\//.test(value)) return null;
  const start = from + raw.length - raw.trimStart().length;
  const end = start + value.length;
  const found = KINDS.find((each) => (kinds & each.kind) !== 0);
  if (found === undefined || !found.fits(value)) return null;
  const canonical = found.type === "PERSON" || found.type === "ADDRESS" ? { canonical: spaced(value) } : {};
  return { start, end, type: found.type, rule: found.rule, ...canonical };
}

const spaced = (value: string): string => value.normalize("NFC").replace(/\s+/g, " ");

/** Of several kinds that a name announces, the first one decides. */
const KINDS: readonly { kind: number; type: RuleType; rule: string; fits: (value: string) => boolean }[] = [
  { kind: CUE.person, type: "PERSON", rule: "person", fits: isPersonName },
  {
    kind: CUE.code,
    type: "AUTH",
    rule: "auth.code",
    fits: (value) => value.length >= 4 && /^(?:[A-Z]-)?\d{3,4}[ -]?\d{0,4}$/.test(value),
  },
  { kind: CUE.birth, type: "BIRTH_DATE", rule: "birth-date", fits: isDate },
  {
    kind: CUE.postcode,
    type: "ADDRESS",
    rule: "address",
    fits: (value) => /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9 -]{2,9}$/.test(value),
  },
  { kind: CUE.address, type: "ADDRESS", rule: "address", fits: isAddress },
];

function isPersonName(value: string): boolean {
  return value.length <= LONGEST_NAME && /^[\p{L}\p{M}][\p{L}\p{M}'’. ,-]*$/u.test(value);
}

/** A street has words, and as a rule a number. */
function isAddress(value: string): boolean {
  return (
    /\p{L}{2}/u.test(value) &&
    /\d|\p{L}[ ]\p{L}/u.test(value) &&
    value.length >= 5 &&
    !ELSEWHERE.test(value) &&
    !/^(?:0x|[a-z0-9]+1)[0-9a-z]{20,}$/i.test(value)
  );
}
