import { crc32 } from "node:zlib";

/** A value that exists once in the world, and where it was put. */
export interface Canary {
  readonly carrier: string;
  readonly value: string;
}

export type Draw = (below: number) => number;

/** Random numbers that come again with the seed. */
export function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const MIXED = `${LOWER}${LOWER.toUpperCase()}0123456789`;

function letters(draw: Draw, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[draw(alphabet.length)] as string).join("");
}

/** A value that is found as a part of a file's name too. */
export function addressValue(draw: Draw): string {
  return `${letters(draw, LOWER, 6)}.${letters(draw, LOWER, 8)}@example.org`;
}

const KINDS: readonly ((draw: Draw) => string)[] = [
  addressValue,
  githubToken,
  card,
  (draw) => `${letters(draw, LOWER, 5)}+${letters(draw, LOWER, 9)}@mail.example.com`,
  (draw) => `AKIA${letters(draw, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 15)}7`,
];

/** A value of a class that is found by its own shape, wherever it stands. */
export function canaryValue(draw: Draw): string {
  return (KINDS[draw(KINDS.length)] as (draw: Draw) => string)(draw);
}

/** A value that only its name, or the process itself, gives away. */
export function shapelessValue(draw: Draw): string {
  return `${letters(draw, LOWER, 7)}-${letters(draw, MIXED, 9)}7${letters(draw, LOWER, 3)}`;
}

/** With the checksum that the format has. */
function githubToken(draw: Draw): string {
  const random = letters(draw, MIXED, 30);
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let checksum = "";
  for (let rest = crc32(random); checksum.length < 6; rest = Math.floor(rest / 62))
    checksum = digits[rest % 62] + checksum;
  return `ghp_${random}${checksum}`;
}

export function card(draw: Draw): string {
  const body = `4${letters(draw, "0123456789", 14)}`;
  const sum = [...body].reverse().reduce((all, digit, at) => {
    const doubled = at % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  const digits = `${body}${(10 - (sum % 10)) % 10}`;
  // sixteen digits alone may be anything: no rule claims them without a word beside them
  return digits.replace(/(....)(?=.)/g, "$1-");
}

/** Each way in which a value could be read from bytes: raw, escaped, percent-encoded, in base64 at any place. */
export function formsOf(value: string): string[] {
  const escaped = [...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const forms = [value, JSON.stringify(value).slice(1, -1), escaped, encodeURIComponent(value)];
  for (let shift = 0; shift < 3; shift++) {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
    // the first characters hold bits of what stands before
    const own = whole.slice(shift === 0 ? 0 : 4);
    forms.push(own, own.replaceAll("+", "-").replaceAll("/", "_"));
  }
  forms.push(Buffer.from(value).toString("hex"));
  return [...new Set(forms)];
}
