import { entropyOf, isPlaceholder } from "./placeholder.ts";

const SHORTEST = 8;

/**
 * Prose, code and placeholders stand behind secret names too. Letters and digits together count; where a value is
 * plainly set (`isSet`), any two kinds of characters do.
 */
export function isCredential(found: string, isSet: boolean): boolean {
  if (found.length < SHORTEST || found.includes("://") || isPlaceholder(found)) return false;
  if (NUMBER.test(found) || FORM_RULES.test(found) || isMonotonous(found)) return false;
  const digits = /[0-9]/.test(found);
  const letters = /[A-Za-z]/.test(found);
  if ((digits && letters) || isMixed(found)) return true;
  if (!isSet) return isTangled(found);
  if (/^[a-zA-Z]+(?:[._()[\]]+[a-zA-Z]*)+$/.test(found)) return false;
  return kindsOf(found) >= (/^[A-Za-z]+$/.test(found) ? 3 : 2) || (found.length >= 12 && digits);
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?e[-+]?\d+$/i;
/** Rules of a form: `min:8|confirmed`. */
const FORM_RULES = /^[a-z_]+[a-z0-9_:,.]*(?:\|[a-z0-9_:,.]+)+$/;
const isMonotonous = (found: string): boolean =>
  new Set(found).size < 5 || (found.length >= 20 && entropyOf(found) < 2.5);

/** Letters alone, with capitals where no words begin. */
function isMixed(found: string): boolean {
  if (found.length < 16 || !/^[A-Za-z]+$/.test(found)) return false;
  const capitals = found.replace(/[a-z]/g, "").length / found.length;
  return capitals > 0.3 && capitals < 0.75 && /[a-z][A-Z]+[a-z]+[A-Z]+[a-z]+[A-Z]/.test(found);
}

/** Small letters before capitals and a sign that no code holds: what follows a colon may be prose. */
function isTangled(found: string): boolean {
  return (
    kindsOf(found) >= 3 && /[a-z][A-Z]/.test(found) && /[A-Z]{2}|[^A-Za-z0-9_-]/.test(found) && !/[.()[\]/]/.test(found)
  );
}

/** Of small letters, capitals, digits and the rest: how many a text holds. */
export function kindsOf(found: string): number {
  let [small, capital, digit, other] = [0, 0, 0, 0];
  for (let i = 0; i < found.length && small + capital + digit + other < 4; i++) {
    const unit = found.charCodeAt(i);
    if (unit >= 97 && unit <= 122) small = 1;
    else if (unit >= 65 && unit <= 90) capital = 1;
    else if (unit >= 48 && unit <= 57) digit = 1;
    else other = 1;
  }
  return small + capital + digit + other;
}
