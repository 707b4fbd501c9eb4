import { hash } from "node:crypto";
import { type ScannedSpan, spanMeaning } from "@reenact/envelope";

/** Spans by number, in the order in which they were received; `read` gives the bytes of one. */
export interface ReceivedSpans {
  readonly count: number;
  /** equal for all copies of a span */
  key(n: number): string | bigint;
  read(n: number): ScannedSpan;
}

/**
 * Numbers of the spans that are left when of each that was received several times, in whatever encoding, the first one is
 * kept. Spans of one id that say different things all stay. Only spans whose key is not their own are read.
 */
export function withoutCopies({ count, key, read }: ReceivedSpans): number[] {
  const groups = new Map<string | bigint, number | number[]>();
  for (let n = 0; n < count; n++) {
    const of = key(n);
    const known = groups.get(of);
    if (known === undefined) groups.set(of, n);
    else if (typeof known === "number") groups.set(of, [known, n]);
    else known.push(n);
  }
  if (groups.size === count) return Array.from({ length: count }, (_, n) => n);
  const kept: number[] = [];
  for (const group of groups.values()) {
    if (typeof group === "number") kept.push(group);
    else kept.push(...different(group, read));
  }
  return kept.toSorted((a, b) => a - b);
}

function different(group: readonly number[], read: (n: number) => ScannedSpan): number[] {
  const byBytes = new Map<string, number>();
  for (const n of group) {
    const digest = bytesDigest(read(n));
    if (!byBytes.has(digest)) byBytes.set(digest, n);
  }
  if (byBytes.size === 1) return [...byBytes.values()];
  const byMeaning = new Map<string, number>();
  for (const [digest, n] of byBytes) {
    const meaning = spanMeaning(read(n)) ?? `bytes ${digest}`;
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, n);
  }
  return [...byMeaning.values()];
}

/** The bytes of a span and of what it stands under. */
function bytesDigest({ resource, resourceSchemaUrl, scope, scopeSchemaUrl, span }: ScannedSpan): string {
  const parts = [resource, Buffer.from(resourceSchemaUrl), scope, Buffer.from(scopeSchemaUrl), span];
  return parts.map((each) => hash("sha256", each)).join(" ");
}
