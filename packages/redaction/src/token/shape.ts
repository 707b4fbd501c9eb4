import { createHash } from "node:crypto";
import type { Shape } from "../policy/path-policy.ts";

const DOCUMENTATION = /^2001:db8:/i;

/**
 * A value of the asked shape that stands for the token; the token itself where the value has another shape. An
 * address keeps the token readable, so that it is found again without the key; the others have no room for it.
 */
export function shaped(shape: Shape, value: string, token: string, type: string): string | null {
  if (shape === "email") return value.includes("@") ? `u_${token}@redacted.invalid` : token;
  if (shape === "ipv6") {
    if (DOCUMENTATION.test(value)) return null;
    return /^[0-9a-f:.]+$/i.test(value) && value.includes(":") ? `2001:db8:${groups(token)}` : token;
  }
  return type === "CARD" && /\d/.test(value) ? failingLuhn(value, token) : token;
}

/** Six groups of four hexadecimal digits. */
function groups(token: string): string {
  const hex = createHash("sha256").update(token).digest("hex");
  return Array.from(
    { length: 6 },
    (_, i) => `${((Number.parseInt(hex.charAt(i * 4), 16) % 15) + 1).toString(16)}${hex.slice(i * 4 + 1, i * 4 + 4)}`,
  ).join(":");
}

/** As many digits, in the same groups, whose check digit is wrong: no rule takes them for a card. */
function failingLuhn(value: string, token: string): string {
  const digest = createHash("sha256").update(token).digest();
  let used = 0;
  // nine comes first in no issuer's range
  const digits = value.replace(/\d/g, () => (used++ === 0 ? "9" : String((digest[used % 32] ?? 0) % 10)));
  if (luhnSum(digits) % 10 !== 0) return digits;
  return digits.replace(/\d(?=\D*$)/, (last) => String((Number(last) + 1) % 10));
}

function luhnSum(text: string): number {
  const digits = [...text].filter((c) => c >= "0" && c <= "9").map(Number);
  return digits.reverse().reduce((sum, digit, i) => {
    const weighed = i % 2 === 0 ? digit : digit * 2;
    return sum + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
}
