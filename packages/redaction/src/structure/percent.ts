import { type Change, unscanned } from "../scrub/change.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";

/** A percent-encoded stretch as text, with the way back to its source. Null: an escape is broken. */
export function decodePercent(raw: string, form: boolean): string | null {
  if (!raw.includes("%") && !(form && raw.includes("+"))) return raw;
  try {
    return decodeURIComponent(form ? raw.replaceAll("+", " ") : raw);
  } catch {
    return null;
  }
}

/** Changes of one encoded value `text[start, end)`, found in its decoded form. */
export function encodedChanges(
  text: string,
  start: number,
  end: number,
  key: string,
  form: boolean,
  context: ScanContext,
  nest: Nesting,
): Change[] {
  const raw = text.slice(start, end);
  const value = decodePercent(raw, form) ?? raw;
  const changes = leafChanges(value, key, context, nest);
  if (changes.length === 0) return [];
  if (value === raw) {
    // what base64 is written with may mean something else here
    const escaped = !form ? /[%#?&]/g : key === "" ? /[%&+#=]/g : /[%&+#]/g;
    const put = (replaced: string): string => replaced.replace(escaped, encodeURIComponent);
    return changes.map((c) => ({ ...c, start: c.start + start, end: c.end + start, with: put(c.with) }));
  }
  try {
    return moved(raw, start, changes);
  } catch {
    return [unscanned(start, end)];
  }
}

function moved(raw: string, start: number, changes: readonly Change[]): Change[] {
  let at = 0;
  let decoded = 0;
  const sourceOf = (target: number): number => {
    while (decoded < target) {
      if (raw.charCodeAt(at) !== 37) {
        at++;
        decoded++;
        continue;
      }
      const lead = Number.parseInt(raw.slice(at + 1, at + 3), 16);
      const bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      at += bytes * 3;
      decoded += bytes === 4 ? 2 : 1;
    }
    return at;
  };
  return changes.map((c) => {
    const from = sourceOf(c.start);
    return { ...c, start: start + from, end: start + sourceOf(c.end), with: encodeURIComponent(c.with) };
  });
}
