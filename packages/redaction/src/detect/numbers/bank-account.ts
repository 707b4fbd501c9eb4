import type { Hit } from "../../scan/hit.ts";
import { CUE } from "../cue.ts";

/** Digits of an account, a routing number or a sort code, that words or a name announce. */
const WRITTEN = /^\d{1,28}(?:[ -]\d{1,12}){0,6}$/;
const [SHORTEST, LONGEST] = [6, 28];

export function bankAccount(written: string, start: number, end: number, kinds: number): Hit | null {
  if ((kinds & CUE.bank) === 0 || !WRITTEN.test(written)) return null;
  const digits = written.replace(/[ -]/g, "");
  if (digits.length < SHORTEST || digits.length > LONGEST || /^(\d)\1*$/.test(digits)) return null;
  if (/^(?:19|20)\d\d[- ]\d\d[- ]\d\d$/.test(written)) return null;
  return { start, end, type: "IBAN", rule: "bank-account", canonical: digits };
}
