import { isDigit } from "../character.ts";

const MONTH =
  "(?:ene(?:ro)?|gen(?:naio)?|giu(?:gno)?|lug(?:lio)?|jan(?:uary|uari|uar|v(?:ier)?|eiro)?|feb(?:ruary|ruari|ruar|rero|braio)?|f[eé]vr(?:ier)?|fev(?:ereiro)?|mar(?:ch|zo|ço|s)?|maart|märz|apr(?:ile|il)?|avril|abr(?:il)?|may|mayo|mai|mei|maio|maggio|june?|juni|juin|junio|junho|july?|juli|juillet|julio|julho|aug(?:ustus|ust)?|ago(?:sto)?|ao[uû]t|sep(?:tember|tembre|tiembre|t)?|set(?:embro|tembre)?|o[ck]t(?:ober|obre|ubre)?|out(?:ubro)?|ott(?:obre)?|nov(?:ember|embre|iembre|embro)?|d[eéi][cz](?:ember|embre|iembre|embro)?)";
const DATES = [
  /(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?![0-9])/y,
  /(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1(?:(?:19|20)\d\d|\d\d)(?![0-9])/y,
  /(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?![0-9])/y,
  new RegExp(
    String.raw`(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?[ \t-](?:of |de )?${MONTH}\.?,?[ \t-](?:de )?(?:19|20)?\d\d(?![0-9])`,
    "iy",
  ),
  /(?:0?[1-9]|[12]\d|3[01])[ .](?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр)[а-я]{0,2} (?:19|20)\d\d(?![0-9])/iy,
  /(?:19|20)\d\d ?[年년] ?(?:0?[1-9]|1[0-2]) ?[月월] ?(?:0?[1-9]|[12]\d|3[01]) ?[日일]/y,
  new RegExp(String.raw`${MONTH}\.?[ \t](?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?,?[ \t](?:19|20)\d\d(?![0-9])`, "iy"),
];
const MONTH_BEFORE = new RegExp(String.raw`(?:^|[^a-z])(${MONTH}\.?[ \t])$`, "i");
const LONGEST_MONTH = 12;

/** `[start, end)` of a date whose first digit is at `at`; the name of a month before it belongs to it. */
export function dateAround(text: string, at: number, from: number, to: number): readonly [number, number] | null {
  const before = MONTH_BEFORE.exec(text.slice(Math.max(from, at - LONGEST_MONTH), at));
  const starts = before === null ? [at] : [at - (before[1] ?? "").length, at];
  for (const start of starts) {
    for (const date of DATES) {
      date.lastIndex = start;
      if (date.test(text) && date.lastIndex <= to) return [start, date.lastIndex];
    }
  }
  return null;
}

/** A day of a month: its name stands behind or before. */
const MONTH_BEHIND =
  /(?:st|nd|rd|th)?[ .-]{1,2}(?:of |de )?(?:jan|feb|f[eé]v|m[aä]r|maart|apr|avr|abr|ma[giy]|mei|jun|jui|jul|aug|ago|ao[uû]|se[pt]|o[ckt]t|out|nov|d[eéi][cz]|lug|gen|giu|ene|янв|фев|мар|апр|ма[йя]|ию[нл]|авг|сен|окт|ноя|дек)/iy;
/** `1st`, `2nd`, `1, 1990`, `1 May`, `1. Mai`, `1-May` */
const MAY_FOLLOW_DAY = new Set([..." .,-snrtSNRT"].map((c) => c.charCodeAt(0)));
const [CHINESE_YEAR, KOREAN_YEAR] = ["年".charCodeAt(0), "년".charCodeAt(0)];
const MONTH_HEADS = "jfmasondlgeJFMASONDLGEяфмаисонд";
export function mayBeBirthDay(text: string, end: number): boolean {
  const unit = text.charCodeAt(end);
  if (unit === CHINESE_YEAR || unit === KOREAN_YEAR) return true;
  if (!MAY_FOLLOW_DAY.has(unit) || (unit === 32 && !MONTH_HEADS.includes(text[end + 1] ?? " "))) return false;
  MONTH_BEHIND.lastIndex = end;
  if (MONTH_BEHIND.test(text)) return true;
  return (unit === 44 || unit === 115 || unit === 110 || unit === 114 || unit === 116) && isMonthBefore(text, end);
}

const POINT = 46;
/** the names of months end in ASCII letters */
const isLetter = (unit: number): boolean => (unit | 32) >= 97 && (unit | 32) <= 122;

/** Whether the name of a month stands before the one or two digits, or `1st`, that end near `end`. */
function isMonthBefore(text: string, end: number): boolean {
  let at = end;
  while (at > 0 && end - at < 3 && isDigit(text.charCodeAt(at - 1))) at--;
  const space = text.charCodeAt(at - 1);
  if (space !== 32 && space !== 9) return false;
  const last = text.charCodeAt(at - 2);
  if (last !== POINT && !isLetter(last)) return false;
  return MONTH_BEFORE.test(text.slice(Math.max(0, at - LONGEST_MONTH), at));
}

/** Whether a text is a date and nothing else. */
export function isDate(text: string): boolean {
  const found = dateAround(text, text.search(/\d/), 0, text.length);
  return found !== null && found[0] === 0 && (found[1] === text.length || /^[T ]\d\d:\d\d/.test(text.slice(found[1])));
}
