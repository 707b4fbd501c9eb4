import { scrubText, type Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";

/**
 * Scrubs a typed encoding, which is a flat list of nodes: object nodes name their members by index. A string is
 * scrubbed under the name that it stands under, then the whole text leaf by leaf; the structure stays.
 */
export function scrubTyped(scrubber: Scrubber, text: string, tally: Tally): string {
  return scrubText(scrubber, scrubNamed(scrubber, text, tally), tally, { mime: "application/json" });
}

function scrubNamed(scrubber: Scrubber, text: string, tally: Tally): string {
  let nodes: unknown;
  try {
    nodes = JSON.parse(text);
  } catch {
    return text;
  }
  if (!Array.isArray(nodes)) return text;
  let changed = false;
  const list = nodes as unknown[];
  for (const node of list) {
    if (typeof node !== "object" || node === null || Array.isArray(node)) continue;
    for (const [key, index] of Object.entries(node)) {
      const value = typeof index === "number" ? list[index] : undefined;
      if (typeof index !== "number" || typeof value !== "string") continue;
      const scrubbed = scrubText(scrubber, value, tally, { key });
      if (scrubbed === value) continue;
      list[index] = scrubbed;
      changed = true;
    }
  }
  return changed ? JSON.stringify(list) : text;
}
