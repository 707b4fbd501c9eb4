import { ATTR } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import {
  count,
  effectName,
  isRefused,
  oneLine,
  type UnrecordedEffect,
  unrecordedEffects,
  unrecordedTools,
} from "@reenact/view";

export interface AuditPart {
  id: string;
  state: "recorded" | "not used" | "leaking";
  line: string;
  fix: string | null;
}

/** The eight moving parts of an agent run: recorded, not used, or leaking with the place of each leak. */
export function auditOf(run: Envelope): AuditPart[] {
  const kinds = run.steps.map(({ span }) => String(span.attributes[ATTR.kind]));
  const steps = (...of: string[]): number => kinds.filter((kind) => of.includes(kind)).length;
  const events = run.journals.get("0")?.events ?? [];
  const draws = (letters: string): number =>
    events.reduce((n, e) => n + (e.k === "v" && letters.includes(e.kind) ? e.values.length : 0), 0);
  const leaks = unrecordedEffects(run);
  const unrecorded = unrecordedTools(run);
  const part = (id: string, n: number, noun: string, leaking: UnrecordedEffect[] = [], fix = ""): AuditPart => {
    if (leaking.length > 0)
      return {
        id,
        state: "leaking",
        line: `${n} recorded, ${leaking.length} leaking: ${leaking.slice(0, 2).map(effectName).join("; ")}`,
        fix,
      };
    return {
      id,
      state: n > 0 ? "recorded" : "not used",
      line: n > 0 ? `${count(n, noun)} recorded` : "not used",
      fix: null,
    };
  };
  const wire = leaks.filter((leak) => leak.scope === -1 && (isRefused(leak) || leak.kind === "udp"));
  const parts = [
    part("model-calls", steps("LLM", "EMBEDDING"), "call"),
    unrecorded.calls > 0
      ? {
          id: "tool-calls",
          state: "leaking" as const,
          line: `${steps("TOOL")} recorded, ${unrecorded.calls} asked for by a model and run without tool()${unrecorded.named}`,
          fix: 'wrap each tool: const x = tool("x", body), from @reenact/node',
        }
      : part("tool-calls", steps("TOOL"), "call"),
    part(
      "retrieval",
      steps("RETRIEVER", "RERANKER", "DB", "HTTP", "STEP"),
      "read",
      wire,
      "wrap the read in step(name, fn) or in a tool()",
    ),
    part(
      "human-input",
      steps("INPUT"),
      "answer",
      leaks.filter(({ kind }) => kind === "stdin"),
      "ask with input() of @reenact/node",
    ),
    part("clock", draws("DPHT"), "reading"),
    part("randomness", draws("RUBN"), "draw"),
    part("environment", Object.keys(run.facts?.environment ?? {}).length, "variable"),
    part("order", events.filter((e) => e.k !== "v" && e.k !== "s").length, "delivery"),
  ];
  if (!run.complete)
    parts.push({
      id: "complete",
      state: "leaking",
      line: run.incompleteReasons.map((r) => oneLine(r, 90)).join("; "),
      fix: "see the reasons; a killed process leaves an incomplete run",
    });
  return parts;
}
