import { passesLuhn } from "../numbers/luhn.ts";
import type { Family } from "./family.ts";
import { byForm, named } from "./named-families.ts";

const sum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((total, weight, i) => total + weight * (digits.charCodeAt(i) - 48), 0);
const luhn =
  (form: RegExp, prefix = "") =>
  (compact: string): boolean =>
    form.test(compact) && passesLuhn(prefix + compact, 0, prefix.length + compact.length);

const NRIC = { S: "JZIHGFEDCBA", F: "XWUTRQPNMLK", M: "XWUTRQPNJLK" };
/** The letter behind seven digits; what was given out since 2000 counts four more. */
function isNric(compact: string): boolean {
  const [, head = "", digits = "", letter = ""] = /^([STFGM])(\d{7})([A-Z])$/.exec(compact) ?? [];
  if (letter === "") return false;
  const more = head === "T" || head === "G" ? 4 : head === "M" ? 3 : 0;
  const rest = (sum(digits, [2, 7, 6, 5, 4, 3, 2]) + more) % 11;
  return (head === "M" ? NRIC.M : head === "S" || head === "T" ? NRIC.S : NRIC.F)[rest] === letter;
}

function isDea(compact: string): boolean {
  const digits = /^[A-HJ-NP-UX][A-Z9](\d{7})$/.exec(compact)?.[1];
  return digits !== undefined && sum(digits, [1, 2, 1, 2, 1, 2]) % 10 === Number(digits[6]);
}

/** The letter counts as its two digits; of each product the digits are added up. */
function isKvnr(compact: string): boolean {
  if (!/^[A-Z]\d{9}$/.test(compact)) return false;
  const digits = String(compact.charCodeAt(0) - 64).padStart(2, "0") + compact.slice(1);
  let total = 0;
  for (let i = 0; i < 10; i++) {
    const product = Number(digits[i]) * (i % 2 === 0 ? 1 : 2);
    total += product > 9 ? product - 9 : product;
  }
  return total % 10 === Number(digits[10]);
}

function isOgrn(compact: string): boolean {
  if (!/^(?:\d{13}|\d{15})$/.test(compact)) return false;
  const body = Number(compact.slice(0, -1));
  return (body % (compact.length - 2)) % 10 === Number(compact.at(-1));
}

function isIranian(compact: string): boolean {
  if (!/^\d{10}$/.test(compact)) return false;
  const rest = sum(compact, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return Number(compact[9]) === (rest < 2 ? rest : 11 - rest);
}

const isMedicareCard = (compact: string): boolean =>
  /^[2-6]\d{9,10}$/.test(compact) && sum(compact, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(compact[8]);

/** Brazil: both last digits check the eight or ten before them. */
function isVoterTitle(compact: string): boolean {
  if (!/^\d{12}$/.test(compact)) return false;
  const check = (total: number): number => (total % 11 === 10 ? 0 : total % 11);
  const first = check(sum(compact, [2, 3, 4, 5, 6, 7, 8, 9]));
  return (
    first === Number(compact[10]) && check(sum(compact.slice(8, 10) + String(first), [7, 8, 9])) === Number(compact[11])
  );
}

function isPis(compact: string): boolean {
  if (!/^\d{11}$/.test(compact)) return false;
  const rest = sum(compact, [3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === Number(compact[10]);
}

const MBI = /^[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d[AC-HJKMNP-RT-Y]{2}\d\d$/;

/** Families that `stdnum` does not know, and numbers of accounts and of health insurances that are written like ids. Reviewed as data. */
export const MORE_FAMILIES: readonly Family[] = [
  named(
    "ae/eid",
    "United Arab Emirates, identity card",
    15,
    15,
    "emirates id|emirates id number|الهوية الإماراتية|رقم الهوية",
    undefined,
    luhn(/^784(?:19|20)\d{10}$/),
  ),
  named("ar/cbu", "Argentina, CBU", 22, 22, "cbu|clave bancaria uniforme"),
  named(
    "au/medicare",
    "Australia, Medicare",
    10,
    11,
    "medicare|medicare number|medicare no|medicare card",
    undefined,
    isMedicareCard,
  ),
  // without its points and its dash it may be anything, and its word the name of a program
  named(
    "br/rg",
    "Brazil, RG",
    7,
    10,
    "rg|registro geral|carteira de identidade",
    /^\d{1,2}\.\d{3}\.\d{3}-[0-9Xx]$/,
    (compact) => compact.length > 7,
  ),
  named(
    "br/titulo",
    "Brazil, voter's title",
    12,
    12,
    "título de eleitor|título eleitor|título eleitoral",
    undefined,
    isVoterTitle,
  ),
  named("br/pis", "Brazil, PIS", 11, 11, "pis|pasep|pis pasep|nis|nit pis", undefined, isPis),
  named("cz/ico", "Czechia, company number", 8, 8, "ičo|=ico|identifikační číslo osoby|číslo organizácie"),
  named(
    "de/kvnr",
    "Germany, health insurance",
    10,
    10,
    "kvnr|krankenversichertennummer|versichertennummer|krankenversicherungsnummer|egk nummer",
    undefined,
    isKvnr,
  ),
  byForm(
    "de/perso",
    "Germany, identity card",
    9,
    10,
    "personalausweis|personalausweisnummer|ausweisnummer|ausweis nr",
    /^(?=(?:.*\d){3})[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}\d?$/,
  ),
  byForm(
    "eg/nid",
    "Egypt, national id",
    14,
    14,
    "الرقم القومي|رقم قومي|egyptian",
    /^[23]\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{7}$/,
  ),
  named("ir/melli", "Iran, national code", 10, 10, "کد ملی|کدملی|code melli|iranian", undefined, isIranian),
  byForm(
    "jp/zairyu",
    "Japan, residence card",
    12,
    12,
    "在留カード|在留カード番号|residence card number|zairyu",
    /^[A-Z]{2}\d{8}[A-Z]{2}$/,
  ),
  named(
    "mx/nss",
    "Mexico, social security",
    11,
    11,
    "nss|imss|número de seguridad social|de la seguridad social",
    undefined,
    luhn(/^\d{11}$/),
  ),
  named("ru/ogrn", "Russia, OGRN", 13, 15, "огрн|огрнип|ogrn", undefined, isOgrn),
  named(
    "sa/id",
    "Saudi Arabia, identity number",
    10,
    10,
    "iqama|iqama number|رقم الهوية|رقم الإقامة|saudi",
    undefined,
    luhn(/^[12]\d{9}$/),
  ),
  named(
    "sg/nric",
    "Singapore, NRIC and FIN",
    9,
    9,
    "nric|nric number|nric no|nric fin|=fin|fin number|singapore|singaporean",
    undefined,
    isNric,
  ),
  named("us/dea", "United States, DEA", 9, 9, "dea|dea number|dea no|dea registration", undefined, isDea),
  byForm(
    "us/mbi",
    "United States, Medicare",
    11,
    11,
    "mbi|medicare|medicare number|medicare id|medicare beneficiary identifier",
    MBI,
  ),
  named(
    "us/npi",
    "United States, NPI",
    10,
    10,
    "npi|npi number|national provider identifier",
    undefined,
    luhn(/^[12]\d{9}$/, "80840"),
  ),
  byForm("vn/cccd", "Vietnam, citizen's card", 12, 12, "cccd|số cccd|căn cước công dân|căn cước", /^0\d{11}$/),
];
