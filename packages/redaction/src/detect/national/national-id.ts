import { createRequire } from "node:module";
import { live } from "@reenact/capture";
import type { Validator } from "stdnum";
import { teachFamilies } from "../cue.ts";
import { FAMILIES, type Family } from "./families.ts";

const require = createRequire(import.meta.url);
const byId = new Map(FAMILIES.map((family) => [family.id, family]));
const validators = new Map<string, Validator | null>();
const REMEMBERED = 1024;
const remembered = new Map<string, boolean>();

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
  const compact = written.replace(/[^0-9A-Za-z\u00c0-\uffff]/g, "");
  if (compact.length < family.length[0] || compact.length > family.length[1]) return false;
  if (family.form !== undefined && !family.form.test(written) && !family.form.test(compact)) return false;
  if (/^(\d)\1*$/.test(compact)) return false;
  const validator = validatorOf(family.id);
  if (validator === null) return false;
  // its dates ask the clock, which may be one of a recorded program
  return live(() => validator.validate(written).isValid || validator.validate(compact).isValid);
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

/** The first of the families that the number belongs to; an empty list: any of them. */
export function familyOf(written: string, ids: readonly string[]): Family | null {
  const among = ids.length === 0 ? FAMILIES : ids.map((id) => byId.get(id)).filter((family) => family !== undefined);
  return among.find((family) => isOfFamily(family, written)) ?? null;
}
