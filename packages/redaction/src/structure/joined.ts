import type { Change } from "../scrub/change.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import { type Nesting, TOP } from "../scrub/nesting.ts";

/** One decoded part of a value that is spread over a stream. */
export interface Part {
  readonly value: string;
  /** moves changes of `value` to where it stands */
  readonly toSource: (changes: readonly Change[]) => readonly Change[];
}

/**
 * Scans the parts of one value as a whole. What replaces a hit goes into the part where the hit began; the rest of
 * the hit is taken out of the parts behind it.
 */
export function joinedChanges(
  parts: readonly Part[],
  key: string,
  context: ScanContext,
  nest: Nesting = TOP,
): Change[] {
  const whole = parts.map((part) => part.value).join("");
  return spread(parts, leafChanges(whole, key, context, nest));
}

/** Like `joinedChanges`, for parts that may also be whole values: each is scanned alone too, and hits are united. */
export function joinedOrAloneChanges(
  parts: readonly Part[],
  key: string,
  context: ScanContext,
  nest: Nesting = TOP,
): Change[] {
  const whole = parts.map((part) => part.value).join("");
  const all = [...leafChanges(whole, key, context, nest)];
  let offset = 0;
  for (const part of parts) {
    for (const c of leafChanges(part.value, key, context, nest))
      all.push({ ...c, start: c.start + offset, end: c.end + offset });
    offset += part.value.length;
  }
  return spread(parts, covering(all));
}

/** Sorted changes of which none overlap: of those that do, the first one covers all. */
export function covering(changes: readonly Change[]): Change[] {
  const out: Change[] = [];
  for (const change of changes.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last === undefined || change.start >= last.end) out.push(change);
    else if (change.end > last.end) out[out.length - 1] = { ...last, end: change.end };
  }
  return out;
}

const lengthOf = (parts: readonly Part[], at: number): number => parts[at]?.value.length ?? 0;

/** Changes of the joined parts, each where its part stands. */
export function spread(parts: readonly Part[], changes: readonly Change[]): Change[] {
  const own: Change[][] = parts.map(() => []);
  let at = 0;
  let offset = 0;
  for (const change of changes) {
    while (at < parts.length && offset + lengthOf(parts, at) <= change.start) offset += lengthOf(parts, at++);
    let first = true;
    let end = offset;
    for (let i = at; i < parts.length && (first || end < change.end); i++) {
      const length = lengthOf(parts, i);
      const start = Math.max(change.start - end, 0);
      const stop = Math.min(change.end - end, length);
      if (stop > start || first) {
        own[i]?.push({
          start,
          end: stop,
          with: first ? change.with : "",
          type: first ? change.type : null,
          ...(first && change.rule !== undefined ? { rule: change.rule } : {}),
        });
        first = false;
      }
      end += length;
    }
  }
  return parts.flatMap((part, i) => (own[i]?.length ? part.toSource(own[i]) : []));
}
