import { findTokens } from "@reenact/envelope";
import { count } from "./plain-text.ts";

/** Replaces tokens by readable labels such as `‹EMAIL 1›`, numbered per type by first appearance over all calls. */
export function tokenMarks(): (text: string) => string {
  const numbers = new Map<string, number>();
  const perType = new Map<string, number>();
  return (text) => {
    let out = "";
    let from = 0;
    for (const { start, end, type, token } of findTokens(text)) {
      let number = numbers.get(token);
      if (number === undefined) {
        number = (perType.get(type) ?? 0) + 1;
        perType.set(type, number);
        numbers.set(token, number);
      }
      out += `${text.slice(from, start)}‹${type} ${number}›`;
      from = end;
    }
    return out + text.slice(from);
  };
}

/** `3 values redacted: 2 EMAIL, 1 KEY` */
export function redactedLine(counts: Readonly<Record<string, number>>): string {
  const types = Object.entries(counts).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const all = types.reduce((sum, [, n]) => sum + n, 0);
  const parts = types.map(([type, n]) => `${n} ${type}`).join(", ");
  return `${count(all, "value")} redacted${parts === "" ? "" : `: ${parts}`}`;
}
