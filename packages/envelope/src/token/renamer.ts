import type { StringWriter } from "../request/canonical-form.ts";
import { findTokens } from "./token.ts";

/** Stands around a renamed token. A raw control character cannot occur in canonical JSON otherwise. */
const MARK = "\u0001";

/** A writer of canonical strings that numbers redaction tokens by first appearance. One renamer is one numbering. */
export function createRenamer(): StringWriter {
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  const mark = (type: string, token: string) => {
    let number = numbers.get(token);
    if (number === undefined) {
      number = (counts.get(type) ?? 0) + 1;
      counts.set(type, number);
      numbers.set(token, number);
    }
    return `${MARK}${type}#${number}${MARK}`;
  };
  return (value) => {
    const hits = findTokens(value);
    if (hits.length === 0) return JSON.stringify(value);
    let out = '"';
    let from = 0;
    for (const { start, end, type, token } of hits) {
      out += JSON.stringify(value.slice(from, start)).slice(1, -1) + mark(type, token);
      from = end;
    }
    return `${out}${JSON.stringify(value.slice(from)).slice(1, -1)}"`;
  };
}
