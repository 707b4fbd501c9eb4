/** The digits of a number, by position. */
type Digits = Int8Array;
/** Whether a number of `n` digits may belong to a family. */
type Test = (d: Digits, n: number) => boolean;

const MOST = 20;
const ZERO = 48;
const digits = new Int8Array(MOST);

/** What the weighted sum of the digits from `from` on leaves over. */
function rest(d: Digits, weights: readonly number[], modulus: number, from = 0): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (d[from + i] ?? 0) * (weights[i] ?? 0);
  return sum % modulus;
}

/** Weights of the first digits; `answers` says by what is left over which digit stands behind them. `x`: none. */
const weighted = (weights: readonly number[], modulus: number, answers: string): Test => {
  const checks = [...answers].map((c) => (c === "x" ? -1 : Number(c)));
  return (d) => checks[rest(d, weights, modulus)] === d[weights.length];
};
/** The sum is a multiple. */
const multiple =
  (weights: readonly number[], modulus: number): Test =>
  (d) =>
    rest(d, weights, modulus) === 0;

const luhnFrom = (d: Digits, from: number, to: number): boolean => {
  let sum = 0;
  for (let i = to - 1, twice = false; i >= from; i--, twice = !twice) {
    const digit = d[i] ?? 0;
    sum += twice ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
};
const luhn: Test = (d, n) => luhnFrom(d, 0, n);

/** ISO 7064, modulus 11 and 10. */
const elevenTen: Test = (d, n) => {
  let state = 5;
  for (let i = 0; i < n; i++) state = ((((state === 0 ? 10 : state) * 2) % 11) + (d[i] ?? 0)) % 10;
  return state === 1;
};

const two = (d: Digits, at: number): number => (d[at] ?? 0) * 10 + (d[at + 1] ?? 0);
const isDay = (day: number): boolean => day >= 1 && day <= 31;
const isMonth = (month: number): boolean => month >= 1 && month <= 12;
const isDayMonth: Test = (d) => isDay(two(d, 0)) && isMonth(two(d, 2));

const number = (d: Digits, from: number, to: number): number => {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + (d[i] ?? 0);
  return value;
};
const both =
  (...tests: readonly Test[]): Test =>
  (d, n) =>
    tests.every((test) => test(d, n));
const ofLength =
  (length: number, test: Test): Test =>
  (d, n) =>
    n === length && test(d, n);

const ELEVEN = "01234567890";
const FROM_ELEVEN = "00987654321";
const CNP = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9];
const CUIT = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const JMBG = [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const NIT = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];
const RUT = [9, 8, 7, 6, 5, 4, 9, 8];
const IK = weighted([1, 2, 3, 4, 5, 6, 7, 8, 9, 1], 11, "0123456789x");
const IK_AGAIN = weighted([3, 4, 5, 6, 7, 8, 9, 1, 2, 3], 11, ELEVEN);
const regon = weighted([8, 9, 2, 3, 4, 5, 6, 7], 11, ELEVEN);
const birthNumber: Test = (d, n) => {
  if (!isMonth((two(d, 2) % 50) % 20) || !isDay(two(d, 4))) return false;
  const left = number(d, 0, 9) % 11;
  return n === 9 || left === d[9] || left % 10 === d[9];
};
const jmbg = both(isDayMonth, weighted(JMBG, 11, FROM_ELEVEN));
const never: Test = () => false;

/**
 * By family: false for a number of digits alone that its validator surely refuses. Only what is cheap is looked at, so
 * true says nothing. A family that is not here may have any digits.
 */
const TESTS: Readonly<Record<string, Test>> = {
  "ar/cuit": weighted(CUIT, 11, "09987654321"),
  "at/tin": luhn,
  "at/vnr": (d) => isDay(two(d, 4)) && rest(d, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6], 11) === d[3],
  "au/abn": (d) => two(d, 0) === 11 + ((177 - rest(d, [3, 5, 7, 9, 11, 13, 15, 17, 19], 89, 2)) % 89),
  "au/acn": multiple([8, 7, 6, 5, 4, 3, 2, 1, 1], 10),
  "au/tfn": (d, n) => rest(d, [1, 4, 3, 7, 5, 8, 6, 9, 10].slice(0, n), 11) === 0,
  "be/nn": (d) => [number(d, 0, 9), 2e9 + number(d, 0, 9)].some((base) => (base + two(d, 9)) % 97 === 0),
  "bg/egn": weighted([2, 4, 8, 5, 10, 9, 7, 3, 6], 11, ELEVEN),
  "br/cnpj": weighted([5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], 11, FROM_ELEVEN),
  "br/cpf": both(
    weighted([10, 9, 8, 7, 6, 5, 4, 3, 2], 11, FROM_ELEVEN),
    weighted([11, 10, 9, 8, 7, 6, 5, 4, 3, 2], 11, FROM_ELEVEN),
  ),
  "ca/sin": luhn,
  "ch/ssn": (d) => number(d, 0, 3) === 756,
  "cl/rut": (d, n) => fromBehind(d, n, RUT) === d[n - 1],
  "co/nit": (d, n) => Number("01987654321"[fromBehind(d, n, NIT)]) === d[n - 1],
  "cz/rc": birthNumber,
  "de/idnr": elevenTen,
  "de/vat": ofLength(9, elevenTen),
  "dk/cpr": isDayMonth,
  "do/cedula": luhn,
  "ec/ci": luhn,
  "ee/ik": (d, n) => IK(d, n) || IK_AGAIN(d, n),
  "es/cif": never,
  "es/dni": never,
  "es/nie": never,
  "es/nif": never,
  "fr/nif": (d) => number(d, 0, 10) % 511 === number(d, 10, 13),
  "fr/nir": (d) => 97 - (number(d, 0, 13) % 97) === two(d, 13),
  "fr/siren": luhn,
  "gb/nino": never,
  "gb/utr": (d) => Number("21987654321"[rest(d, [6, 7, 8, 9, 10, 5, 4, 3, 2], 11, 1)]) === d[0],
  "gr/amka": both(isDayMonth, luhn),
  "hk/hkid": never,
  "hr/oib": elevenTen,
  "id/npwp": ofLength(15, (d) => luhnFrom(d, 0, 9)),
  "ie/pps": never,
  "il/idnr": luhn,
  "in/gstin": never,
  "in/pan": never,
  "is/kennitala": multiple([3, 2, 7, 6, 5, 4, 3, 2, 1], 11),
  "it/codicefiscale": never,
  "it/iva": luhn,
  "jp/cn": (d) => d[0] === 9 - rest(d, [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1], 9, 1),
  "lk/nic": (_, n) => n === 12,
  "lt/asmens": (d, n) => IK(d, n) || IK_AGAIN(d, n),
  "mx/clabe": weighted([3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7], 10, "0987654321"),
  "mx/curp": never,
  "mx/rfc": never,
  "nl/bsn": multiple([9, 8, 7, 6, 5, 4, 3, 2, 10], 11),
  "no/fodselsnummer": both(weighted([3, 7, 6, 1, 8, 9, 4, 5, 2], 11, "0x987654321"), weighted(CUIT, 11, "0x987654321")),
  "nz/ird": (d, n) => {
    const from = n - 9;
    const front = Array.from({ length: 8 }, (_, i) => (from + i < 0 ? 0 : (d[from + i] ?? 0)));
    const sum = (weights: readonly number[]): number =>
      (11 - (weights.reduce((all, weight, i) => all + weight * (front[i] ?? 0), 0) % 11)) % 11;
    const first = sum([3, 2, 7, 6, 5, 4, 3, 2]);
    return (first === 10 ? sum([7, 4, 3, 2, 5, 2, 7, 6]) : first) === d[n - 1];
  },
  "pe/ruc": weighted(CUIT, 11, "10987654321"),
  "pl/nip": multiple([6, 5, 7, 2, 3, 4, 5, 6, 7, 10], 11),
  "pl/pesel": weighted([1, 3, 7, 9, 1, 3, 7, 9, 1, 3], 10, "0987654321"),
  "pl/regon": (d, n) => (n === 9 || n === 14) && regon(d, n),
  "pt/cc": luhn,
  "pt/nif": weighted([9, 8, 7, 6, 5, 4, 3, 2], 11, "00987654321"),
  "ro/cnp": weighted(CNP, 11, "01234567891"),
  "rs/jmbg": jmbg,
  "ru/inn": (d, n) =>
    n === 10
      ? rest(d, [2, 4, 10, 3, 5, 9, 4, 6, 8], 11) % 10 === d[9]
      : n === 12 && rest(d, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8], 11) % 10 === d[10],
  "se/personnummer": (d, n) => luhnFrom(d, n - 10, n),
  "sg/uen": never,
  "si/emso": jmbg,
  "sk/rc": birthNumber,
  "th/idnr": weighted([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2], 11, "10987654321"),
  "tr/tckimlik": weighted([3, 1, 3, 1, 3, 1, 3, 1, 3], 10, "0987654321"),
  "tw/natid": never,
  "ua/rntrc": weighted([10, 5, 7, 9, 4, 6, 10, 5, 7], 11, ELEVEN),
  "uy/rut": (d) => number(d, 8, 11) === 1,
  "ve/rif": never,
  "za/idnr": luhn,
};

/** The last of `weights` counts for the digit before the check digit, as far as there are digits. */
function fromBehind(d: Digits, n: number, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < n - 1; i++) sum += (d[n - 2 - i] ?? 0) * (weights[i % weights.length] ?? 0);
  return sum % 11;
}

const tests = new Map(Object.entries(TESTS));

/** Digits with separators of ASCII alone; 0: the number has other characters, or too many digits. */
export function digitsIn(written: string): number {
  let n = 0;
  for (let at = 0; at < written.length; at++) {
    const unit = written.charCodeAt(at);
    if (unit >= ZERO && unit <= ZERO + 9) {
      if (n === MOST) return 0;
      digits[n++] = unit - ZERO;
    } else if (unit !== 32 && unit !== 45 && unit !== 46 && unit !== 47) return 0;
  }
  return n;
}

/** Whether the `n` digits that `digitsIn` has read last may be a number of the family. */
export const mayBeOf = (id: string, n: number): boolean => tests.get(id)?.(digits, n) ?? true;
