import { ATTR } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { oneLine } from "../text/plain-text.ts";

const MOST_NAMES = 5;
const REQUESTED = /^llm\.output_messages\..*tool_call\.function\.name$/;

/**
 * Tool calls that a model requested and that were not made through `tool()`: their number, and `: ` with their names or an
 * empty text where no response names them.
 */
export function unrecordedTools(run: Pick<Envelope, "facts" | "steps">): { calls: number; named: string } {
  const calls = run.facts?.tools?.unrecorded ?? 0;
  if (calls === 0) return { calls, named: "" };
  const left = new Map<string, number>();
  const names = new Map<string, string>();
  const add = (name: string, n: number): string => {
    // frameworks may change the spelling of a tool's name
    const key = name.replace(/[\W_]/g, "").toLowerCase();
    left.set(key, (left.get(key) ?? 0) + n);
    return key;
  };
  for (const { span } of run.steps) {
    if (span.attributes[ATTR.kind] === "TOOL") add(span.name, -1);
    for (const [key, name] of Object.entries(span.attributes))
      if (REQUESTED.test(key) && typeof name === "string") names.set(add(name, 1), name);
  }
  if (names.size === 0) return { calls, named: "" };
  const unmade = [...names].filter(([key]) => (left.get(key) ?? 0) > 0);
  const n = unmade.reduce((sum, [key]) => sum + (left.get(key) ?? 0), 0);
  const shown = unmade.slice(0, MOST_NAMES).map(([, name]) => oneLine(name, 40));
  const more = unmade.length > MOST_NAMES ? ` and ${unmade.length - MOST_NAMES} more` : "";
  return { calls: Math.min(calls, n), named: `: ${shown.join(", ")}${more}` };
}
