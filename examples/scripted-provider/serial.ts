import { randomBytes } from "node:crypto";

const born = randomBytes(2).toString("hex");
let count = 0;

/**
 * A new token for each request: `s`, four random hex digits of this process, `n`, a running number of six digits.
 * Every answer carries one in its ids and texts, so that an answer can never be mistaken for another one.
 */
export function nextSerial(): string {
  count += 1;
  return `s${born}n${String(count).padStart(6, "0")}`;
}

/** Replaces each serial and each random number (`r123456`) in a text, so that two runs against a provider can be compared. */
export function maskChance(text: string): string {
  return text.replace(/s[0-9a-f]{4}n\d{6}/g, "s____n______").replace(/\br\d{6}\b/g, "r______");
}
