import { entropyOf, isPlaceholder } from "./placeholder.ts";

const SHORTEST = 8;

/**
 * Prose, code and placeholders stand behind secret names too. Letters and digits together count; where a value is
 * plainly set (`isSet`), any two kinds of characters do.
 */
export function isCredential(found: string, isSet: boolean): boolean {
  if (found.length < SHORTEST || found.includes("://") || isPlaceholder(found)) return false;
  const digits = /[0-9]/.test(found);
  const letters = /[A-Za-z]/.test(found);
  if (new Set(found).size < 5 || (found.length >= 20 && entropyOf(found) < 2.5)) return false;
  if (digits && letters) return true;
  if (!isSet || /^[a-zA-Z]+(?:[._()[\]]+[a-zA-Z]*)+$/.test(found)) return false;
  return kindsOf(found) >= (/^[A-Za-z]+$/.test(found) ? 3 : 2) || (found.length >= 12 && digits);
}

const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/];
/** Of small letters, capitals, digits and the rest: how many a text holds. */
export function kindsOf(found: string): number {
  return KINDS.filter((kind) => kind.test(found)).length;
}
