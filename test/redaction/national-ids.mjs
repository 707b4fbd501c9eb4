// National and tax numbers with the check digits of their rules: `[words before, a valid one]`.
import { spaced, withLuhn } from "./numbers-made.mjs";

const weighted = (digits, weights) =>
  [...digits].reduce((sum, digit, i) => sum + Number(digit) * weights[i % weights.length], 0);
const two = (number) => String(number).padStart(2, "0");
const day = (dice) => [two(dice.between(40, 99)), two(dice.between(1, 12)), two(dice.between(1, 28))];

function cpf(dice) {
  let number = dice.digits(9);
  for (const length of [10, 11]) {
    const rest =
      (weighted(
        number,
        Array.from({ length: length - 1 }, (_, i) => length - i),
      ) *
        10) %
      11;
    number += rest % 10;
  }
  return number;
}
function cnpj(dice) {
  let number = dice.digits(8) + "0001";
  for (const weights of [
    [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
    [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  ]) {
    const rest = weighted(number, weights) % 11;
    number += rest < 2 ? 0 : 11 - rest;
  }
  return number;
}
function pesel(dice) {
  const number = day(dice).join("") + dice.digits(4);
  return number + ((10 - (weighted(number, [1, 3, 7, 9]) % 10)) % 10);
}
const DNI = "TRWAGMYFPDXBNJZSQVHLCKE";
function dni(dice) {
  const number = dice.digits(8);
  return number + DNI[Number(number) % 23];
}
function nie(dice) {
  const head = dice.between(0, 2);
  const number = dice.digits(7);
  return "XYZ"[head] + number + DNI[Number(head + number) % 23];
}
function bsn(dice) {
  for (;;) {
    const number = String(dice.between(1, 9)) + dice.digits(7);
    const check = weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    if (check < 10) return number + check;
  }
}
function nir(dice) {
  const number =
    dice.pick(["1", "2"]) +
    two(dice.between(30, 99)) +
    two(dice.between(1, 12)) +
    two(dice.between(1, 95)) +
    dice.digits(3).replace("000", "001") +
    dice.digits(3).replace("000", "001");
  return number + two(97 - Number(BigInt(number) % 97n));
}
const VERHOEFF_D = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
];
const VERHOEFF_P = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
];
function aadhaar(dice) {
  const number = String(dice.between(2, 9)) + dice.digits(10);
  let check = 0;
  [...number].reverse().forEach((digit, i) => (check = VERHOEFF_D[check][VERHOEFF_P[(i + 1) % 8][Number(digit)]]));
  return number + VERHOEFF_D[check].indexOf(0);
}
function tckimlik(dice) {
  const number = String(dice.between(1, 9)) + dice.digits(8);
  const d = [...number].map(Number);
  const tenth = ((((d[0] + d[2] + d[4] + d[6] + d[8]) * 7 - (d[1] + d[3] + d[5] + d[7])) % 10) + 10) % 10;
  return number + tenth + ((d.reduce((a, b) => a + b) + tenth) % 10);
}
function oib(dice) {
  const number = dice.digits(10);
  let rest = 10;
  for (const digit of number) rest = (((rest + Number(digit)) % 10 || 10) * 2) % 11;
  return number + ((11 - rest) % 10);
}
function hetu(dice) {
  const [yy, mm, dd] = day(dice);
  const serial = String(dice.between(2, 899)).padStart(3, "0");
  return `${dd}${mm}${yy}-${serial}${"0123456789ABCDEFHJKLMNPRSTUVWXY"[Number(dd + mm + yy + serial) % 31]}`;
}
function personnummer(dice) {
  const number = withLuhn(day(dice).join("") + dice.digits(3));
  return `${number.slice(0, 6)}-${number.slice(6)}`;
}
function tfn(dice) {
  for (;;) {
    const number = dice.digits(9);
    if (number[0] !== "0" && weighted(number, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0) return number;
  }
}
function abn(dice) {
  for (;;) {
    const number = String(dice.between(10, 99)) + dice.digits(9);
    const less = String(Number(number[0]) - 1) + number.slice(1);
    if (weighted(less, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0) return number;
  }
}
function rut(dice) {
  const number = String(dice.between(5_000_000, 25_000_000));
  const rest = 11 - (weighted([...number].reverse().join(""), [2, 3, 4, 5, 6, 7]) % 11);
  return `${number.replace(/\B(?=(\d{3})+$)/g, ".")}-${rest === 11 ? "0" : rest === 10 ? "K" : rest}`;
}
function rrn(dice) {
  const number = day(dice).join("") + dice.pick("12") + "0" + dice.digits(4);
  const check = (11 - (weighted(number, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10;
  return `${number.slice(0, 6)}-${number.slice(6)}${check}`;
}
function ric(dice) {
  const number = `110105${dice.between(1950, 2004)}${two(dice.between(1, 12))}${two(dice.between(1, 28))}${dice.digits(3)}`;
  return number + "10X98765432"[weighted(number, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11];
}
function ahv(dice) {
  const number = "756" + dice.digits(9);
  return spaced(number + ((10 - (weighted(number, [1, 3]) % 10)) % 10), [3, 4, 4, 2], ".");
}
function nn(dice) {
  const number = day(dice).join("") + String(dice.between(1, 997)).padStart(3, "0");
  const whole = number + two(97 - (Number(number) % 97));
  return `${spaced(whole.slice(0, 6), [2, 2, 2], ".")}-${whole.slice(6, 9)}.${whole.slice(9)}`;
}
function nip(dice) {
  for (;;) {
    const number = String(dice.between(1, 9)) + String(dice.between(1, 9)) + dice.digits(7);
    const check = weighted(number, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11;
    if (check < 10) return number + check;
  }
}
function fodselsnummer(dice) {
  for (;;) {
    const [yy, mm, dd] = day(dice);
    const number = dd + mm + yy + String(dice.between(0, 499)).padStart(3, "0");
    const first = (11 - (weighted(number, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
    const second = (11 - (weighted(number + first, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    if (first < 10 && second < 10) return number + first + second;
  }
}
function pan(dice) {
  return dice.letters(3) + "P" + dice.letters(1) + dice.digits(4) + dice.letters(1);
}
function nino(dice) {
  return dice.pick(["AB", "CE", "JG", "PX", "SR", "WK"]) + dice.digits(6) + dice.pick("ABCD");
}
function nif(dice) {
  const number = "2" + dice.digits(7);
  const rest = weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return number + (rest < 2 ? 0 : 11 - rest);
}
function cnp(dice) {
  const number = dice.pick("12") + day(dice).join("") + "12" + String(dice.between(1, 999)).padStart(3, "0");
  const rest = weighted(number, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return number + (rest === 10 ? 1 : rest);
}
function inn(dice) {
  let number = "77" + dice.digits(8);
  number += (weighted(number, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10;
  return number + ((weighted(number, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10);
}
function egn(dice) {
  const number = day(dice).join("") + dice.digits(3);
  return number + ((weighted(number, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10);
}
function rfZa(dice) {
  return withLuhn(day(dice).join("") + dice.digits(4) + "08");
}
function cedulaEc(dice) {
  return withLuhnHead(String(dice.between(1, 24)).padStart(2, "0") + String(dice.between(0, 5)) + dice.digits(6));
}
const withLuhnHead = (digits) => withLuhn(digits);

/** Numbers whose last digits check the others, so that one altered digit makes them wrong. */
export const CHECKED_IDS = [
  ["CPF", cpf],
  ["CNPJ", cnpj],
  ["PESEL", pesel],
  ["DNI", dni],
  ["NIE", nie],
  ["BSN", bsn],
  ["numéro de sécurité sociale", nir],
  ["Aadhaar", aadhaar],
  ["TC kimlik", tckimlik],
  ["OIB", oib],
  ["henkilötunnus", hetu],
  ["personnummer", personnummer],
  ["TFN", tfn],
  ["ABN", abn],
  ["RUT", rut],
  ["RRN", rrn],
  ["身份证", ric],
  ["AHV", ahv],
  ["rijksregisternummer", nn],
  ["NIP", nip],
  ["fødselsnummer", fodselsnummer],
  ["NIF", nif],
  ["CNP", cnp],
  ["INN", inn],
  ["EGN", egn],
  ["SA ID", rfZa],
  ["cédula", cedulaEc],
  ["social insurance number", (dice) => withLuhn(String(dice.between(1, 7)) + dice.digits(7))],
];
/** Numbers of a fixed form without a check digit. */
export const SHAPED_IDS = [
  ["PAN", pan],
  ["national insurance number", nino],
];
