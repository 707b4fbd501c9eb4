import type { CallDifference, NamedStep, RecordedAnswers } from "@reenact/replay";
import { count } from "@reenact/view";
import type { Paint } from "../render/painter.ts";
import { differenceInWords, refusalOf, type ServedCall } from "./served-call.ts";

/** What was asked of an endpoint, as data. */
export interface ServeReport {
  readonly schemaVersion: 1;
  readonly run: string;
  /**
   * `identical`: each recorded call was asked for once, as recorded, and nothing else; in brackets how many redacted values
   * were compared by their place only
   */
  readonly verdict: "identical" | `identical (${string})` | "diverged";
  /** recorded calls of models */
  readonly recorded: number;
  readonly served: number;
  readonly refused: number;
  readonly calls: readonly {
    readonly n: number;
    readonly request: string;
    readonly outcome: "recorded" | "differed" | "changed" | "exhausted" | "unknown";
    /** the recorded step that was served; of one that was refused the closest */
    readonly step: number | null;
    readonly differences: readonly CallDifference[];
  }[];
  readonly neverAsked: readonly NamedStep[];
  /** requests that could not be answered, by a fault of the endpoint */
  readonly faults: readonly string[];
}

export function serveReport(
  run: string,
  answers: RecordedAnswers,
  calls: readonly ServedCall[],
  faults: readonly string[],
): ServeReport {
  const rows = calls.map(({ n, request, answer }) => ({
    n,
    request,
    outcome: answer.found ? (isAsRecorded(answer) ? ("recorded" as const) : ("differed" as const)) : answer.why,
    step: answer.found ? answer.step : (answer.closest?.step ?? null),
    differences: answer.differences,
  }));
  const served = calls.filter(({ answer }) => answer.found).length;
  const { neverAsked, byPlace } = answers;
  const isIdentical =
    faults.length === 0 && neverAsked.length === 0 && rows.every(({ outcome }) => outcome === "recorded");
  return {
    schemaVersion: 1,
    run,
    verdict: !isIdentical
      ? "diverged"
      : byPlace === 0
        ? "identical"
        : `identical (${count(byPlace, "value")} by place)`,
    recorded: answers.calls.length,
    served,
    refused: calls.length - served,
    calls: rows,
    neverAsked,
    faults,
  };
}

type FoundAnswer = Extract<ServedCall["answer"], { found: true }>;

const isAsRecorded = ({ differences, isEarly }: FoundAnswer): boolean => differences.length === 0 && !isEarly;

/** One call in a line, while it is served. `run`: how a command names the run. */
export function callLine(call: ServedCall, run: string, paint: Paint): string {
  const { n, request, answer } = call;
  if (!answer.found) return `  ${paint("red", "✗")} refused: ${refusalOf({ ...call, answer }, run)}\n`;
  const mark = isAsRecorded(answer) ? paint("green", "✓") : paint("yellow", "!");
  return `  ${mark} call ${String(n)}  ${request}  step ${String(answer.step)}, as recorded${otherwise(answer)}\n`;
}

function otherwise({ differences, isEarly }: FoundAnswer): string {
  const early = isEarly ? ["asked for later than recorded"] : [];
  const all = [...early, ...differences.map(differenceInWords)];
  return all.length === 0 ? "" : `, but ${all.join("; ")}`;
}

const MOST_NAMED = 8;

/** The end of an endpoint in a few lines. */
export function printServeReport(report: ServeReport, run: string, paint: Paint): string {
  const { verdict, recorded, served, refused, calls, neverAsked } = report;
  const differed = calls.filter(({ outcome }) => outcome === "differed").length;
  const mark = verdict !== "diverged" ? paint("green", "✓") : paint("red", "✗");
  const head = `${mark} ${verdict}  ${String(served)} of ${count(recorded, "recorded call")} served, ${String(differed)} differed, ${String(refused)} refused, ${String(neverAsked.length)} never asked · $0.00`;
  const names = neverAsked.slice(0, MOST_NAMED).map(({ step, name }) => `step ${String(step)} ${name}`);
  const more = neverAsked.length > names.length ? `, and ${String(neverAsked.length - names.length)} more` : "";
  const first = calls.find(({ outcome }) => outcome !== "recorded");
  const step = first?.step ?? neverAsked[0]?.step ?? null;
  return [
    head,
    ...(first === undefined || first.differences[0] === undefined
      ? []
      : [`  call ${String(first.n)} ${first.outcome}: ${differenceInWords(first.differences[0])}`]),
    ...report.faults.map((fault) => `  could not be answered: ${fault}`),
    ...(names.length === 0 ? [] : [`  never asked: ${names.join(", ")}${more}`]),
    `  next: reenact show ${run}${step === null ? "" : ` --step ${String(step)}`}`,
    "",
  ].join("\n");
}
