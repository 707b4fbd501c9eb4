import type { Change } from "../scrub/change.ts";

/** Value of a JSON string literal, given without its quotes; null if an escape is broken. */
export function decodeLiteral(raw: string): string | null {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return null;
  }
}

/**
 * Moves changes of a decoded literal onto its source: each end is found by walking the escapes once, and what is
 * put in is escaped again. `start` is where the literal's content begins in the whole text.
 */
export function encodeChanges(raw: string, start: number, changes: readonly Change[]): Change[] {
  let at = 0;
  let decoded = 0;
  let slash = -1;
  const sourceOf = (target: number): number => {
    while (decoded < target) {
      if (slash < at) {
        slash = raw.indexOf("\\", at);
        if (slash === -1) slash = raw.length;
      }
      // up to the next escape both count alike
      const plain = Math.min(target - decoded, slash - at);
      at += plain;
      decoded += plain;
      if (decoded === target) break;
      at += raw.charCodeAt(at + 1) === 117 ? 6 : 2;
      decoded++;
    }
    return at;
  };
  return changes.map((change) => {
    const from = sourceOf(change.start);
    const to = sourceOf(change.end);
    return { ...change, start: start + from, end: start + to, with: escaped(change.with) };
  });
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
