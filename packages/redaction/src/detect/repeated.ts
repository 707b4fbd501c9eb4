import type { Hit } from "../scan/hit.ts";

const SHORTEST = 12;
const MOST_VALUES = 8;
const SECRETS: ReadonlySet<string> = new Set(["AUTH", "KEY"]);

/** The other occurrences of secrets that were found: a text that names a key once may repeat it without its name. */
export function repeated(text: string, hits: readonly Hit[]): Hit[] {
  const out: Hit[] = [];
  const starts = new Set<number>();
  const done = new Set<string>();
  for (const hit of hits) if (SECRETS.has(hit.type)) starts.add(hit.start);
  if (starts.size === 0) return out;
  for (const hit of hits) {
    const { start, end, type } = hit;
    if (!SECRETS.has(type) || end - start < SHORTEST) continue;
    const value = text.slice(start, end);
    if (done.has(value) || !/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) continue;
    if (done.size === MOST_VALUES) break;
    done.add(value);
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
      if (!starts.has(at)) out.push({ ...hit, start: at, end: at + value.length });
  }
  return out;
}
