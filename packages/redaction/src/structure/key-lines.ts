import type { Change } from "../scrub/change.ts";
import { keyLines } from "../detect/secrets/pem.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import { base64Text } from "./base64.ts";

const MARK = "PRIVATE KEY";

/** The changes of a structured text and, where a private key lies in several of its strings, those of the key's lines. */
export function withKeyLines(text: string, changes: readonly Change[], context: ScanContext): readonly Change[] {
  if (!text.includes(MARK) || !context.isOn("PEM")) return changes;
  const out = [...changes];
  for (const hit of keyLines(text)) {
    // what is known of one string alone is better known
    if (changes.some(({ start, end }) => start < hit.end && hit.start < end)) continue;
    // a key is bytes: base64 of a text is no line of one, whether something in that text was replaced before or not
    if (base64Text(text.slice(hit.start, hit.end)) !== null) continue;
    const put = context.replace(text.slice(hit.start, hit.end), hit, null);
    if (put !== null) out.push({ start: hit.start, end: hit.end, with: put, type: hit.type, rule: "pem" });
  }
  return out.length === changes.length ? changes : out.sort((a, b) => a.start - b.start);
}
