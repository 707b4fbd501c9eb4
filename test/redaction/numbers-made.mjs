// Numbers with the check digits of their standards, written from the standards and not from the code under test.
import { createHash } from "node:crypto";

/** The last digit that makes the whole number hold after Luhn. */
export function withLuhn(digits) {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const value = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return digits + ((10 - (sum % 10)) % 10);
}

const CARDS = [
  ["4", 16],
  ["51", 16],
  ["52", 16],
  ["53", 16],
  ["54", 16],
  ["55", 16],
  ["2221", 16],
  ["2720", 16],
  ["34", 15],
  ["37", 15],
  ["6011", 16],
  ["65", 16],
  ["644", 16],
  ["300", 14],
  ["36", 14],
  ["38", 14],
  ["3528", 16],
  ["3589", 16],
  ["62", 16],
];

/** A card number. One of `separators` is drawn and put between the groups of its digits; "" gives the digits alone. */
export function card(dice, separators = ["", "", " ", "-"]) {
  const [head, length] = dice.pick(CARDS);
  const number = withLuhn(head + dice.digits(length - head.length - 1));
  const groups = length === 15 ? [4, 6, 5] : length === 14 ? [4, 6, 4] : [4, 4, 4, 4];
  const separator = dice.pick(separators);
  return { value: spaced(number, separator === "" ? [length] : groups, separator), bare: number };
}

export function spaced(text, groups, separator) {
  let at = 0;
  return groups.map((size) => text.slice(at, (at += size))).join(separator);
}

/** The text with one digit raised by one, at `at` counted among its digits: no longer what it was. */
export function altered(text, dice) {
  const places = [...text.matchAll(/[0-9]/g)].map((match) => match.index);
  const at = places[dice.between(Math.floor(places.length / 2), places.length - 1)];
  return text.slice(0, at) + ((Number(text[at]) + dice.between(1, 8)) % 10) + text.slice(at + 1);
}

const mod97 = (text) => {
  let rest = 0;
  for (const c of text) rest = /\d/.test(c) ? (rest * 10 + Number(c)) % 97 : (rest * 100 + c.charCodeAt(0) - 55) % 97;
  return rest;
};
const IBANS = {
  DE: "dddddddddddddddddd",
  FR: "dddddddddddddddddddddwd",
  GB: "aaaadddddddddddddd",
  NL: "aaaadddddddddd",
  ES: "dddddddddddddddddddd",
  IT: "adddddddddddddddddddddd",
  CH: "ddddddddddddddddd",
  PL: "dddddddddddddddddddddddd",
  SE: "dddddddddddddddddddd",
  NO: "ddddddddddd",
  BE: "dddddddddddd",
  MT: "aaaadddddwwwwwwwwwwwwwwwwww",
  SA: "ddwwwwwwwwwwwwwwwwww",
  BR: "dddddddddddddddddddddddaw",
  TR: "ddddddwwwwwwwwwwwwwwww",
  AE: "ddddddddddddddddddd",
};

export function iban(dice) {
  const country = dice.pick(Object.keys(IBANS));
  const kinds = { d: "0123456789", a: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", w: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" };
  const body = [...IBANS[country]].map((kind) => dice.pick(kinds[kind])).join("");
  const number = country + String(98 - mod97(`${body}${country}00`)).padStart(2, "0") + body;
  return dice.pick([true, false]) ? number : number.replace(/(.{4})(?=.)/g, "$1 ");
}

export const ipv4 = (dice) =>
  `${dice.pick([10, 172, 192, 203, 198, 8, 84, 151, 45])}.${dice.between(0, 255)}.${dice.between(0, 255)}.${dice.between(1, 254)}`;

export function ipv6(dice) {
  const group = () => dice.between(1, 0xffff).toString(16);
  const head = dice.pick(["2001:db8", "2a02:8109", "fe80", "fd12:3456", "2607:f8b0"]);
  if (dice.pick([true, false])) return `${head}::${Array.from({ length: dice.between(1, 3) }, group).join(":")}`;
  const groups = head.split(":");
  while (groups.length < 8) groups.push(group());
  return groups.join(":");
}

export function mac(dice) {
  const pairs = Array.from({ length: 6 }, () => dice.hex(2));
  const separator = dice.pick([":", ":", "-"]);
  const text = pairs.join(separator);
  return dice.pick([text, text.toUpperCase()]);
}

export function ssn(dice) {
  const area = dice.pick([dice.between(1, 665), dice.between(667, 899)]);
  const separator = dice.pick(["-", "-", " "]);
  return [
    String(area).padStart(3, "0"),
    String(dice.between(1, 99)).padStart(2, "0"),
    String(dice.between(1, 9999)).padStart(4, "0"),
  ].join(separator);
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const sha = (bytes) => createHash("sha256").update(bytes).digest();

function base58check(bytes, alphabet = BASE58) {
  const whole = Buffer.concat([bytes, sha(sha(bytes)).subarray(0, 4)]);
  let number = BigInt(`0x${whole.toString("hex")}`);
  let out = "";
  for (; number > 0n; number /= 58n) out = alphabet[Number(number % 58n)] + out;
  for (const byte of whole) {
    if (byte !== 0) break;
    out = alphabet[0] + out;
  }
  return out;
}

const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
function polymod(values) {
  let sum = 1n;
  for (const value of values) {
    const top = sum >> 25n;
    sum = ((sum & 0x1ffffffn) << 5n) ^ BigInt(value);
    [0x3b6a57b2n, 0x26508e6dn, 0x1ea119fan, 0x3d4233ddn, 0x2a1462b3n].forEach((g, i) => {
      if ((top >> BigInt(i)) & 1n) sum ^= g;
    });
  }
  return sum;
}
function bech32(head, values, constant) {
  const expanded = [...[...head].map((c) => c.charCodeAt(0) >> 5), 0, ...[...head].map((c) => c.charCodeAt(0) & 31)];
  const check = polymod([...expanded, ...values, 0, 0, 0, 0, 0, 0]) ^ constant;
  const tail = [0, 1, 2, 3, 4, 5].map((i) => Number((check >> BigInt(5 * (5 - i))) & 31n));
  return `${head}1${[...values, ...tail].map((v) => BECH32[v]).join("")}`;
}
const fives = (dice, count) => Array.from({ length: count }, () => dice.between(0, 31));

/** Addresses as the specifications print them: EIP-55 needs a hash that Node has not. */
const ETHEREUM = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

export function wallet(dice) {
  return dice.pick([
    () => base58check(Buffer.concat([Buffer.from([dice.pick([0, 5])]), dice.bytes(20)])),
    () => base58check(Buffer.concat([Buffer.from([dice.pick([0x30, 0x1e, 0x41, 0x4c])]), dice.bytes(20)])),
    () =>
      base58check(
        Buffer.concat([Buffer.from([0]), dice.bytes(20)]),
        "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz",
      ),
    () => bech32(dice.pick(["bc", "tb", "ltc"]), [0, ...fives(dice, 32)], 1n),
    () => bech32("bc", [1, ...fives(dice, 52)], 0x2bc830a3n),
    () => dice.pick(ETHEREUM),
  ])();
}
/** One letter or digit of an address exchanged for another of its alphabet. */
export function alteredWallet(text, dice) {
  const at = dice.between(6, text.length - 2);
  const isHex = text.startsWith("0x");
  const alphabet = isHex ? "0123456789abcdef" : text.includes("q") && text === text.toLowerCase() ? BECH32 : BASE58;
  if (isHex) {
    // the case of one letter
    const letters = [...text.matchAll(/[a-f]/gi)].map((m) => m.index).filter((i) => i > 1);
    const place = dice.pick(letters);
    const c = text[place];
    return text.slice(0, place) + (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()) + text.slice(place + 1);
  }
  let c = text[at];
  while (c === text[at]) c = dice.pick(alphabet);
  return text.slice(0, at) + c + text.slice(at + 1);
}
