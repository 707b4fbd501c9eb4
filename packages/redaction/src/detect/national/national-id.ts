import { createRequire } from "node:module";
import { live } from "@reenact/capture/recorder";
import type { Validator } from "stdnum";
import { teachFamilies } from "../cue.ts";
import { digitsIn, mayBeOf } from "./check-digits.ts";
import { FAMILIES } from "./families.ts";
import type { Family } from "./family.ts";

const require = createRequire(import.meta.url);
const byId = new Map(FAMILIES.map((family) => [family.id, family]));
/** families that a general word announces, by the length of their numbers */
const general: Family[][] = [];
for (const family of FAMILIES.filter(({ named }) => named !== true))
  for (let length = family.length[0]; length <= family.length[1]; length++) (general[length] ??= []).push(family);
const OTHER_NAMES = new Map([
  ["EL", "gr"],
  ["XI", "gb"],
]);
const byCountry = new Map<string, readonly Family[]>();
const validators = new Map<string, Validator | null>();
const REMEMBERED = 1024;
const remembered = new Map<string, boolean>();
/** families that were found, by the list that was asked for */
const found = new WeakMap<readonly string[], Map<string, Family | null>>();

teachFamilies(FAMILIES.map(({ id, words }) => [id, words]));

/** Whether a number as it is written is one of this family; one kept valid is not computed again. */
export function isOfFamily(family: Family, written: string): boolean {
  const slot = `${family.id} ${written}`;
  let valid = remembered.get(slot);
  if (valid === undefined) {
    valid = judge(family, written);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(slot, valid);
  }
  return valid;
}

function judge(family: Family, written: string): boolean {
  const compact = compactOf(written);
  if (isOneDigit(compact)) return false;
  return fits(family, written, compact, digitsIn(written)) && quietly(() => validates(family, written, compact));
}

const compactOf = (written: string): string => written.replace(/[^0-9A-Za-z\u00c0-\uffff]/g, "");

const isOneDigit = (compact: string): boolean => /^(\d)\1*$/.test(compact);

/** What is known without the validator; `digits`: how many there are, if there is nothing else. */
function fits({ id, length, form }: Family, written: string, compact: string, digits: number): boolean {
  if (compact.length < length[0] || compact.length > length[1]) return false;
  if (digits > 0 && !mayBeOf(id, digits)) return false;
  return form === undefined || form.test(written) || form.test(compact);
}

function validates(family: Family, written: string, compact: string): boolean {
  if (family.check !== undefined) return family.check(compact.toUpperCase());
  const validator = validatorOf(family.validator ?? family.id);
  if (validator === null) return false;
  const isValid = (number: string): boolean => validator.validate(number).isValid;
  return isValid(written) || (compact !== written && isValid(compact));
}

/** Validators answer what does not hold with an error, whose stack takes more time than all the rest. */
function quietly<T>(ask: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    // their dates ask the clock, which may be one of a recorded program
    return live(ask);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Loaded with its first candidate, one family at a time. */
function validatorOf(id: string): Validator | null {
  let validator = validators.get(id);
  if (validator === undefined) {
    try {
      validator = live(() => require(`stdnum/lib/cjs/${id}.js`) as Validator);
    } catch {
      validator = null;
    }
    validators.set(id, validator);
  }
  return validator;
}

/** The families of the country that stands in front of a number; null: none does. */
function ofCountry(compact: string): readonly Family[] | null {
  const [, country] = /^([A-Z]{2})U?\d{8,12}$/.exec(compact) ?? [];
  if (country === undefined) return null;
  const id = `${(OTHER_NAMES.get(country) ?? country).toLowerCase()}/`;
  let families = byCountry.get(id);
  if (families === undefined) {
    families = FAMILIES.filter((family) => family.id.startsWith(id) || family.prefix === country);
    byCountry.set(id, families);
  }
  return families.length === 0 ? null : families;
}

/** Whether a number of one of these families may be that long, give or take a character that was left out or typed twice. */
export function mayHaveLength(ids: readonly string[], length: number): boolean {
  if (ids.length === 0) return true;
  return ids.some((id) => {
    const [least, most] = byId.get(id)?.length ?? [0, 0];
    return length >= least - 1 && length <= most + 1;
  });
}

/** The first of the families that the number belongs to; an empty list: any of them. */
export function familyOf(written: string, ids: readonly string[]): Family | null {
  let answers = found.get(ids);
  if (answers === undefined) found.set(ids, (answers = new Map()));
  let family = answers.get(written);
  if (family === undefined) {
    family = quietly(() => search(written, ids));
    if (answers.size >= REMEMBERED) answers.clear();
    answers.set(written, family);
  }
  return family;
}

function search(written: string, ids: readonly string[]): Family | null {
  const compact = compactOf(written);
  if (isOneDigit(compact)) return null;
  const digits = digitsIn(written);
  const holds = (family: Family): boolean =>
    fits(family, written, compact, digits) && validates(family, written, compact);
  const country = digits > 0 ? null : ofCountry(compact.toUpperCase());
  if (ids.length === 0) return (country ?? general[compact.length])?.find(holds) ?? null;
  const named = ids.map((id) => byId.get(id)).find((family) => family !== undefined && holds(family));
  return named ?? country?.find(holds) ?? null;
}
