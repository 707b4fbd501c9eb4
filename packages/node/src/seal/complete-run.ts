import { ATTR, decodeSpan, type ScannedSpan, type StepRecord } from "@reenact/envelope";
import { answeredRoot, isMade, rootThatDied, stepThatDied } from "./made-span.ts";
import type { SpoolContent, SpooledRun } from "./spooled-run.ts";

/** Adds what the process did not live to write, and drops what was made so before and has come since. */
export function completeRun(
  known: ScannedSpan[],
  spool: SpoolContent,
  run: SpooledRun,
): { spans: ScannedSpan[]; died: boolean } {
  const written = new Set(known.filter((s) => !isMade(s)).map((s) => s.spanId));
  const spans = known.filter((s) => (written.has(s.spanId) ? !isMade(s) : true));
  const there = new Set(spans.map((s) => s.spanId));
  const death = { at: spool.alive, origin: spool.origin };
  for (const facts of run.begun.values()) if (!there.has(facts.spanId)) spans.push(stepThatDied(run, facts, death));
  const root = spans.find((s) => ATTR.root in decodeSpan(s.span).attributes);
  if (root !== undefined && !isMade(root)) return { spans, died: false };
  if (run.facts === null) return { spans, died: true };
  const steps = spans.filter((s) => s !== root);
  const isLost = [...run.begun.values()].some((facts) => !there.has(facts.spanId));
  const made = rootThatDied(run.facts, {
    metadata: run.metadata,
    // an earlier file of the process may have told it
    input: run.input ?? (root === undefined ? null : inputOf(root)),
    journal: run.journal !== null && !isCarried(run.journal.from, steps) ? run.journal : null,
    early: spool.early,
    steps: countOf(steps),
    death,
  });
  return { spans: [...steps, answeredRoot(run, made, isLost)], died: true };
}

function countOf(spans: readonly ScannedSpan[]): number {
  let highest = -1;
  for (const span of spans) {
    const { step } = factsOf<StepRecord>(span, ATTR.record);
    if (typeof step === "number" && step > highest) highest = step;
  }
  return highest + 1;
}

/** Whether a step that came since has the segment of the journal that begins there. */
function isCarried(from: number, steps: readonly ScannedSpan[]): boolean {
  return steps.some((span) => (factsOf<StepRecord>(span, ATTR.record).journal?.from ?? -1) >= from);
}

function inputOf(root: ScannedSpan): string | null {
  return factsOf<{ input: string }>(root, ATTR.root).input ?? null;
}

function factsOf<T>({ span }: ScannedSpan, name: string): Partial<T> {
  const text = decodeSpan(span).attributes[name];
  return typeof text === "string" ? (JSON.parse(text) as Partial<T>) : {};
}
