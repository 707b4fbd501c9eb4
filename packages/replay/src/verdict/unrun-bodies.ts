import type { Ledger } from "./ledger.ts";
import type { Divergence } from "./verdict.ts";
import { listed } from "./listed.ts";

/** What can come from something in the agent's memory that a served tool would have changed. */
const FROM_MEMORY = new Set(["changed", "history", "missing", "extra", "output-changed", "exit-code-changed"]);
const MOST = 5;

/**
 * For people, where a replay has diverged behind tools that were served: their bodies did not run, so an agent that
 * keeps something of theirs in memory misses it. Null: that cannot be why.
 */
export function unrunBodies(ledger: Ledger): string | null {
  const { divergence, edited, tape } = ledger;
  if (divergence === null || edited > 0 || !FROM_MEMORY.has(divergence.verdict) || isOther(divergence)) return null;
  if (tape.ordered.some(({ given }) => given !== undefined)) return null;
  const before = divergence.step ?? Infinity;
  const tools = tape.ordered.filter(
    ({ index, record }) =>
      /^(?:tool|step):/.test(record.op) && index + 1 < before && !tape.composite.has(index) && ledger.met(index),
  );
  const names = [...new Set(tools.map(({ name }) => name))];
  if (names.length === 0) return null;
  return `served, so their bodies did not run: ${listed(names, MOST)}. If the agent reads what one of them keeps in memory, let it run: ${names
    .slice(0, MOST)
    .map((name) => `--run-tool ${name}`)
    .join(" ")}`;
}

/** A request whose text says something new is another request: one that misses what memory held only says less. */
function isOther({ verdict, recorded, now }: Divergence): boolean {
  if (verdict !== "changed" || typeof recorded !== "string" || typeof now !== "string") return false;
  let same = 0;
  while (same < now.length && now[same] === recorded[same]) same++;
  return !recorded.slice(same).endsWith(now.slice(same));
}
