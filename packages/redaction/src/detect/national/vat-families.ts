import type { Family } from "./family.ts";

/** Country in front of the number, its validator, and what follows the country. From the rules of VIES. Reviewed as data. */
const COUNTRIES: ReadonlyArray<
  readonly [prefix: string, name: string, validator: string, form: string, shapes: string]
> = [
  ["AT", "Austria", "at/uid", String.raw`U\d{8}`, "x11"],
  ["BE", "Belgium", "be/vat", String.raw`[01]\d{9}`, "x12"],
  ["BG", "Bulgaria", "bg/vat", String.raw`\d{9,10}`, "x11,x12"],
  ["CY", "Cyprus", "cy/vat", String.raw`\d{8}[A-Z]`, "x11"],
  ["CZ", "Czechia", "cz/dic", String.raw`\d{8,10}`, "x10,x11,x12"],
  ["DE", "Germany", "de/vat", String.raw`\d{9}`, "x11"],
  ["DK", "Denmark", "dk/cvr", String.raw`\d{8}`, "x10"],
  ["EE", "Estonia", "ee/kmkr", String.raw`\d{9}`, "x11"],
  ["EL", "Greece", "gr/vat", String.raw`\d{9}`, "x11"],
  ["ES", "Spain", "es/nif", String.raw`[A-Z0-9]\d{7}[A-Z0-9]`, "x11"],
  ["FI", "Finland", "fi/alv", String.raw`\d{8}`, "x10"],
  ["FR", "France", "fr/tva", String.raw`[A-HJ-NP-Z0-9]{2}\d{9}`, "x13"],
  ["GB", "United Kingdom", "gb/vat", String.raw`\d{9}(?:\d{3})?`, "x11,x14"],
  ["HR", "Croatia", "hr/oib", String.raw`\d{11}`, "x13"],
  ["HU", "Hungary", "hu/anum", String.raw`\d{8}`, "x10"],
  ["IE", "Ireland", "ie/vat", String.raw`\d[0-9A-Z+*]\d{5}[A-Z]{1,2}`, "x10,x11"],
  ["IT", "Italy", "it/iva", String.raw`\d{11}`, "x13"],
  ["LT", "Lithuania", "lt/pvm", String.raw`\d{9}(?:\d{3})?`, "x11,x14"],
  ["LU", "Luxembourg", "lu/tva", String.raw`\d{8}`, "x10"],
  ["LV", "Latvia", "lv/pvn", String.raw`\d{11}`, "x13"],
  ["MT", "Malta", "mt/vat", String.raw`\d{8}`, "x10"],
  ["NL", "Netherlands", "nl/btw", String.raw`\d{9}B\d\d`, "x14"],
  ["PL", "Poland", "pl/nip", String.raw`\d{10}`, "x12"],
  ["PT", "Portugal", "pt/nif", String.raw`\d{9}`, "x11"],
  ["RO", "Romania", "ro/cui", String.raw`\d{8,10}`, "x10,x11,x12"],
  ["SE", "Sweden", "se/vat", String.raw`\d{10}01`, "x14"],
  ["SI", "Slovenia", "si/ddv", String.raw`\d{8}`, "x10"],
  ["SK", "Slovakia", "sk/dph", String.raw`\d{10}`, "x12"],
];

/** VAT numbers as they are written across borders: the country makes them distinctive. */
export const VAT_FAMILIES: readonly Family[] = COUNTRIES.map(([prefix, name, validator, form, shapes]) => ({
  id: `${prefix.toLowerCase()}/vatin`,
  name: `${name}, VAT with country`,
  length: [10, 14],
  shapes: shapes.split(","),
  words: "",
  form: new RegExp(`^${prefix}${form}$`),
  validator,
  prefix,
}));

const byPrefix = new Map(VAT_FAMILIES.map((family) => [family.prefix, family]));

/** The family of a word that begins with a country. */
export function vatFamily(word: string): Family | undefined {
  return byPrefix.get(word.slice(0, 2));
}
