import { isDigit, isWord } from "../character.ts";

/** Latin letters; classes of all of Unicode take milliseconds to compile. */
const UPPER = "A-ZÀ-ÖØ-Þ";
const LETTER = "A-Za-zÀ-ÖØ-öø-ɏ";
const SUFFIX =
  "(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Ter|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Crescent|Close|Row|Alley|Plaza|Mews|Gardens|Grove|Loop|Expressway|Turnpike)";
const CAPITAL = String.raw`[${UPPER}][${LETTER}'’.-]*`;
const UNIT = String.raw`(?:,?[ \n](?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|#)\.?[ ]?#?[A-Za-z0-9-]{1,6})?`;
/** A town, a state, a code: none of them ends inside a code of another form (`NW1 6XE`). */
const WHOLE = String.raw`(?![${LETTER}\d])`;
const PLACE = String.raw`(?:,[ \n](?:(?:[A-Z]{1,2}-)?(?:\d{4,5}|\d\d-\d{3}|\d{3}[ ]\d\d)[ ])?${CAPITAL}${WHOLE}(?:[ ]${CAPITAL}${WHOLE}){0,2})?(?:,?[ ][A-Z]{2}${WHOLE})?(?:,?[ \n](?:\d{4,5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?[ ]\d[A-Z]{2})${WHOLE})?`;
const FORMS = [
  // 12 Main Street, 145B N. Elm Ave
  String.raw`\d{1,6}[A-Za-z]?(?:-\d{1,5})?[ ](?!Hours?[ ])(?:${CAPITAL}[ ]|\d{1,3}(?:st|nd|rd|th)[ ]){1,4}?${SUFFIX}(?![${LETTER}])\.?(?:[ ](?:N|S|E|W|NE|NW|SE|SW)\b)?`,
  // 12 Rue du Moulin, 145 Calle Mayor
  String.raw`\d{1,6}[A-Za-z]?,?[ ](?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Cc]hemin|[Pp]lace|Calle|Avenida|Av\.|Plaza|Paseo|Rua|Via|Viale|Piazza|Corso)[ ](?:(?:d[eu]|des|de la|del|della|di|da|do|dos|la|le|les)[ ]|d'|l'|de l'){0,2}${CAPITAL}(?:[ -]${CAPITAL}){0,3}`,
  // 12 Birkenweg
  String.raw`\d{1,5}[A-Za-z]?[ ][${UPPER}][${LETTER}-]+(?:straße|strasse|weg|gasse|allee|platz|ring|damm|ufer|straat|laan|gracht|plein|gatan|vägen|gata|vegen|katu|tie)(?![${LETTER}])`,
];
const FORWARD = FORMS.map((form) => new RegExp(form + UNIT + PLACE, "y"));
/** What stands before the number of the house. */
const BEFORE = new RegExp(
  String.raw`(?:^|[^${LETTER}])((?:[${UPPER}][${LETTER}-]+[ ])?(?:[${UPPER}][${LETTER}-]+(?:straße|strasse|str\.|weg|gasse|allee|platz|straat|laan|gracht|plein|gatan|vägen)|[${UPPER}][${LETTER}-]+[ ](?:Straße|Strasse|Str\.|Weg|Allee|Platz)|(?:Calle|Avenida|Rua|Via|Viale|Piazza|Corso|ul\.|ulica)[ ](?:(?:de|del|della|di|da|do|dos|la)[ ]){0,2}[${UPPER}][${LETTER}'-]+(?:[ ][${UPPER}][${LETTER}'-]+){0,2}|P\.?[ ]?O\.?[ ]?[Bb]ox),?[ ](?:n[.º°][ ]?)?)$`,
);
/** What it holds at least. */
const NAMES_STREET =
  /(?:straße|strasse|str\.|weg|gasse|allee|platz|straat|laan|gracht|plein|gatan|vägen|Str(?:aße|asse|\.)|Weg|Allee|Platz|Calle|Avenida|Rua|Via|Piazza|Corso|ul\.|ulica|[Bb]ox)/;
const AFTER = new RegExp(
  String.raw`\d{1,4}(?:[ ]?[a-zA-Z])?(?:\/\d{1,4})?(?![${LETTER}\d])(?:,[ ](?:[A-Z]{1,2}-)?(?:\d{4,5}|\d\d-\d{3}|\d{3}[ ]\d\d)[ ][${UPPER}][${LETTER}-]+)?`,
  "y",
);
const LOOK_BACK = 64;
const ORDINALS = ["st", "nd", "rd", "th"];
const LOWER_STREETS = ["rue ", "avenue ", "boulevard ", "chemin ", "place "];

/** `[start, end)` of a street with a number of a house in `[at, numberTo)`. */
export function streetAddress(
  text: string,
  at: number,
  numberTo: number,
  from: number,
  to: number,
): readonly [number, number] | null {
  if (mayGoOn(text, numberTo)) {
    for (const form of FORWARD) {
      form.lastIndex = at;
      if (form.test(text) && form.lastIndex <= to) return [at, form.lastIndex];
    }
  }
  return isBehindName(text, at, from) ? behind(text, at, from, to) : null;
}

/** A capital letter, `5th`, or a word like `rue` stands behind the number. */
function mayGoOn(text: string, numberTo: number): boolean {
  const at = text.charCodeAt(numberTo) === 44 ? numberTo + 1 : numberTo;
  if (text.charCodeAt(at) !== 32) return false;
  const unit = text.charCodeAt(at + 1);
  if ((unit >= 65 && unit <= 90) || (unit > 127 && unit < 0x2000)) return true;
  if (isDigit(unit)) return unit !== 48 && isOrdinal(text, at + 1);
  return beginsStreet(text, at + 1);
}

/** `rue`, `avenue` and the like, in small letters. */
export function beginsStreet(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (
    unit <= 114 &&
    (unit === 114 || (unit >= 97 && unit <= 99) || unit === 112) &&
    LOWER_STREETS.some((word) => text.startsWith(word, at))
  );
}

function isOrdinal(text: string, at: number): boolean {
  let end = at + 1;
  while (end < at + 3 && isDigit(text.charCodeAt(end))) end++;
  const unit = text.charCodeAt(end);
  return (unit === 115 || unit === 110 || unit === 114 || unit === 116) && ORDINALS.includes(text.slice(end, end + 2));
}

/** A word that begins with a capital letter stands before the number. */
function isBehindName(text: string, start: number, from: number): boolean {
  if (start - 5 < from || text.charCodeAt(start - 1) !== 32 || isDigit(text.charCodeAt(start - 2))) return false;
  let at = start - 2;
  const floor = Math.max(from, start - 28);
  // a quote, a bracket or a tag may stand before the name
  while (at > floor && isNameUnit(text.charCodeAt(at - 1))) at--;
  const head = text.charCodeAt(at);
  return (head >= 65 && head <= 90) || (head > 127 && head < 0x2000) || (start - at <= 5 && head === 110);
}

/** Letters, and what stands between them in names of streets. */
const isNameUnit = (unit: number): boolean =>
  isWord(unit) || unit === 45 || unit === 46 || unit === 39 || (unit > 127 && unit < 0x2000);

function behind(text: string, at: number, from: number, to: number): readonly [number, number] | null {
  if (
    at - from < 5 ||
    (text.charCodeAt(at - 1) !== 32 && text.charCodeAt(at - 1) !== 176 && text.charCodeAt(at - 1) !== 186)
  )
    return null;
  const before = text.slice(Math.max(from, at - LOOK_BACK), at);
  const street = NAMES_STREET.test(before) ? BEFORE.exec(before) : null;
  if (street === null) return null;
  AFTER.lastIndex = at;
  return AFTER.test(text) && AFTER.lastIndex <= to ? [at - (street[1] ?? "").length, AFTER.lastIndex] : null;
}
