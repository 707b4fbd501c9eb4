import type { ScannedSpan } from "@reenact/envelope";
import type { z } from "zod";
import type { diffAnswer } from "./diff-schema.ts";
import { stepLines } from "./run-steps.ts";
import { readRun } from "@reenact/envelope/file";
import { mainParts, type SpanPart } from "./span-parts.ts";
import type { StepLine } from "./step-schema.ts";

type Diff = z.infer<typeof diffAnswer>;
type Change = Diff["steps"][number]["changes"][number];

const MOST_STEPS = 20_000;
/** Larger values are compared as a whole. */
const LARGEST = 512 * 1024;
/** Places of one value that are named. */
const MOST_POINTERS = 20;

interface Side {
  readonly lines: readonly StepLine[];
  readonly parts: ReadonlyMap<string, readonly SpanPart[]>;
}

/**
 * Steps of two runs side by side: those of one slot and attempt together, those that have no slot by kind, name and how often
 * that came before; in the order of `a`, those that only `b` has behind the one before them. `complete` false: a run has more steps
 * than are compared.
 */
export function diffRuns(
  a: { readonly run: string; readonly spans: readonly ScannedSpan[] },
  b: { readonly run: string; readonly spans: readonly ScannedSpan[] },
): Pick<Diff, "steps" | "same" | "complete" | "first"> {
  const [left, right] = [sideOf(a), sideOf(b)];
  const ofLeft = keyed(left.lines);
  const ofRight = keyed(right.lines);
  // those that only `b` has, by the step before them that both have
  const behind = new Map<string, StepLine[]>([["", []]]);
  let last = "";
  for (const [key, line] of ofRight) {
    if (ofLeft.has(key)) behind.set((last = key), []);
    else behind.get(last)!.push(line);
  }
  const onlyRight = (key: string) => (behind.get(key) ?? []).map((line) => row("only-b", null, line, []));
  const steps: Diff["steps"] = onlyRight("");
  for (const [key, line] of ofLeft) {
    const other = ofRight.get(key);
    if (other === undefined) {
      steps.push(row("only-a", line, null, []));
      continue;
    }
    const changes = changesOf(left, right, line, other);
    steps.push(row(changes.length === 0 ? "same" : "changed", line, other, changes), ...onlyRight(key));
  }
  const first = steps.findIndex(({ is }) => is !== "same");
  return {
    steps,
    same: first === -1,
    first: first === -1 ? null : first,
    complete: left.lines.length < MOST_STEPS && right.lines.length < MOST_STEPS,
  };
}

function sideOf({ run, spans }: { run: string; spans: readonly ScannedSpan[] }): Side {
  const { steps } = stepLines(run, spans, { after: 0, limit: MOST_STEPS });
  const parts = new Map(readRun(spans, run).spans.map((each) => [each.span.spanId, mainParts(each)]));
  return { lines: steps, parts };
}

function keyed(lines: readonly StepLine[]): Map<string, StepLine> {
  const times = new Map<string, number>();
  return new Map(
    lines.map((line) => {
      const name = line.slot === null ? `${line.kind} ${line.name}` : `${line.slot} ${line.attempt ?? 0}`;
      const n = times.get(name) ?? 0;
      times.set(name, n + 1);
      return [JSON.stringify([line.slot === null, name, n]), line];
    }),
  );
}

function row(is: Diff["steps"][number]["is"], a: StepLine | null, b: StepLine | null, changes: Change[]) {
  const { kind, name, slot } = (a ?? b)!;
  return { is, a: a?.n ?? null, b: b?.n ?? null, kind, name, slot, changes };
}

function changesOf(left: Side, right: Side, a: StepLine, b: StepLine): Change[] {
  const changes: Change[] = [];
  if (a.status !== b.status) changes.push({ part: "status", pointers: [""] });
  if (a.error?.class !== b.error?.class || a.error?.message !== b.error?.message)
    changes.push({ part: "failure", pointers: [""] });
  const digests = (line: StepLine) => new Map(line.parts.map(({ name, digest }) => [name, digest]));
  const [of, other] = [digests(a), digests(b)];
  for (const part of new Set([...of.keys(), ...other.keys()])) {
    if (of.get(part) === other.get(part)) continue;
    const valueOf = (side: Side, id: string) => side.parts.get(id)?.find(({ name }) => name === part)?.value;
    changes.push({ part, pointers: pointersOf(valueOf(left, a.id), valueOf(right, b.id)) });
  }
  return changes;
}

/** JSON pointers to what differs; "": the whole value. */
function pointersOf(a: string | Uint8Array | undefined, b: string | Uint8Array | undefined): string[] {
  if (typeof a !== "string" || typeof b !== "string" || Math.max(a.length, b.length) > LARGEST) return [""];
  try {
    const found: string[] = [];
    walk(JSON.parse(a), JSON.parse(b), "", found);
    // it differs, if only in how it is written
    return found.length === 0 ? [""] : found;
  } catch {
    return [""];
  }
}

function walk(a: unknown, b: unknown, at: string, found: string[]): void {
  if (found.length >= MOST_POINTERS || Object.is(a, b)) return;
  if (
    typeof a !== "object" ||
    typeof b !== "object" ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  ) {
    found.push(at);
    return;
  }
  const [of, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(of), ...Object.keys(other)])) {
    const place = `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(of, key) || !Object.hasOwn(other, key)) {
      if (found.length < MOST_POINTERS) found.push(place);
    } else walk(of[key], other[key], place, found);
  }
}
