import { findTokens } from "@reenact/envelope";
import type { Hit } from "./hit.ts";

/** Hits of another spelling of the leaf, with their offsets in it and the value that this spelling shows. */
export function elsewhere(
  hits: Hit[],
  text: string,
  start: (at: number) => number,
  end: (at: number) => number,
): Hit[] {
  return hits.map((hit) => ({
    ...hit,
    start: start(hit.start),
    end: end(hit.end),
    canonical: hit.canonical ?? text.slice(hit.start, hit.end).normalize("NFC"),
  }));
}

const STAND_IN = "_aaaa_aaaaaaaaaaaaaaaa";

/** Hits in the leaf as it will be when `hits` are replaced, with their offsets in the leaf as it is. */
export function behindTokens(leaf: string, hits: readonly Hit[], find: (replaced: string) => Hit[]): Hit[] {
  let replaced = "";
  let from = 0;
  const gains: [at: number, gain: number][] = [];
  for (const hit of hits) {
    replaced += leaf.slice(from, hit.start) + hit.type + STAND_IN;
    from = hit.end;
    gains.push([replaced.length, replaced.length - hit.end]);
  }
  return find(replaced + leaf.slice(from)).map((hit) => {
    const gain = gains.findLast(([at]) => at <= hit.start)?.[1] ?? 0;
    return { ...hit, start: hit.start - gain, end: hit.end - gain };
  });
}

/** Drops what touches a token that stands there already: tokens are never taken apart or tokenised again. */
export function withoutTokens(leaf: string, hits: Hit[]): Hit[] {
  const tokens = findTokens(leaf);
  if (tokens.length === 0) return hits;
  let next = 0;
  return hits.filter((hit) => {
    while (next < tokens.length && (tokens[next] as { end: number }).end <= hit.start) next++;
    const token = tokens[next];
    return token === undefined || token.start >= hit.end;
  });
}
