import { diffWords } from "diff";
import type { ReplayReport } from "@reenact/replay";
import { count, duration, oneLine, safe, WRAP } from "@reenact/view";
import type { Paint } from "./painter.ts";
import { shortIds } from "./short-ids.ts";
import { shellWords } from "./shell-words.ts";

export interface ReportContext {
  command: string[];
  reference: string;
  /** options with which a further command finds the run as this one did, a blank ahead */
  place: string;
  /** ids of the runs in the store */
  ids: readonly string[];
  recordedMs: number | null;
  /** folder with copies of the files that the agent wrote */
  scratch: string | null;
}

type Short = ReturnType<typeof shortIds>;

const MOST_RUNS = 6;
const MOST_REFUSALS = 3;

/** The report of a replay for people: the verdict, the first cause, the next command. */
export function printReport(report: ReplayReport, context: ReportContext, paint: Paint): string {
  const lines: string[] = [];
  const others = report.runs.flatMap(({ run }) => run ?? []);
  const ids = new Set([...context.ids, report.parent, ...others]);
  const short = shortIds(ids);
  const faster =
    context.recordedMs !== null && report.durationMs > 0 && context.recordedMs > report.durationMs
      ? ` (${Math.round(context.recordedMs / report.durationMs)}× faster)`
      : "";
  const counts = `${report.recorded} recorded, ${report.edited > 0 ? `${report.edited} run anew, ` : ""}${report.live} live, ${report.refused} refused · $0.00 · ${duration(report.durationMs)}${faster} · ${report.sockets} sockets`;
  switch (report.verdict) {
    case "diverged":
      lines.push(`${paint("red", "✗")} diverged  ${counts}`);
      break;
    case "incomplete":
      lines.push(`${paint("yellow", "!")} incomplete  ${counts}`);
      break;
    default:
      lines.push(`${paint("green", "✓")} ${report.verdict}  ${counts}`);
  }
  const d = report.divergence;
  if (d !== null) {
    lines.push(
      `  ${runOf(d, short)}${d.step === null ? "" : `step ${d.step}  `}${d.slot === null ? "" : `${safe(d.slot)}  `}${d.verdict}`,
    );
    const cause = d.cause.replaceAll(/\b[0-9a-f]{32}\b/g, (id) => (ids.has(id) ? short(id) : id));
    lines.push(`  cause: ${safe(cause)}`);
    if (d.pointer !== null && d.pointer !== "") lines.push(`  at ${d.of === null ? "" : `${d.of} `}${safe(d.pointer)}`);
    if (d.recorded !== null || d.now !== null) lines.push(...difference(d.recorded, d.now, paint));
  }
  if (d !== null && d.others.length > 0)
    lines.push(
      `  also differs: ${d.others.map(({ of, pointer }) => safe(`${of ?? ""} ${pointer}`.trim())).join(", ")}`,
    );
  lines.push(...runLines(report, short));
  for (const note of report.notes) lines.push(`  ${safe(note)}`);
  for (const refusal of report.refusals.slice(0, MOST_REFUSALS)) lines.push(refusalLine(refusal));
  if (report.refusals.length > MOST_REFUSALS)
    lines.push(`  … and ${report.refusals.length - MOST_REFUSALS} more refusals (--json-file lists them)`);
  if (report.refusals.some(({ tool }) => tool === null)) lines.push(`  it is in no record: ${WRAP}`);
  if (report.stopped !== null && report.stopped.message !== d?.cause)
    lines.push(`  stopped: ${safe(report.stopped.message)}`);
  const findings = report.findings.filter((f) => f !== "leak" && f !== report.divergence?.verdict);
  if (findings.length > 0) lines.push(`  also: ${findings.join(", ")}`);
  if (context.scratch !== null) lines.push(`  files that it wrote: ${safe(context.scratch)}`);
  lines.push(`  next: ${safe(nextCommand(report, context, short))}`);
  return `${lines.join("\n")}\n`;
}

function refusalLine({ kind, target, tool, count: times, place }: ReplayReport["refusals"][number]): string {
  const inTool = tool === null ? "" : ` in tool ${safe(tool)}`;
  const often = times > 1 ? `, ${times} times` : "";
  const at = place === null ? "" : `, ${times > 1 ? "first " : ""}at ${safe(place)}`;
  return `  refused: ${kind} ${safe(target)}${inTool}${often}${at}`;
}

function runOf({ runName, run }: NonNullable<ReplayReport["divergence"]>, short: Short): string {
  if (runName === undefined) return "";
  return `run "${oneLine(runName, 40)}"${run ? ` ${short(run)}` : ""}  `;
}

/** The other runs of the process, as many as fit. */
function runLines({ runs }: ReplayReport, short: Short): string[] {
  if (runs.length < 2) return [];
  const line = runs
    .slice(0, MOST_RUNS)
    .map(({ run, name, verdict }) => `"${oneLine(name, 40)}"${run === null ? "" : ` ${short(run)}`} ${verdict}`);
  const more = runs.length > MOST_RUNS ? `, and ${runs.length - MOST_RUNS} more (--json-file lists them)` : "";
  return [`  runs of the process: ${line.join(", ")}${more}`];
}

function nextCommand(report: ReplayReport, { reference, command, place }: ReportContext, short: Short): string {
  const again = (option: string): string =>
    `reenact replay ${shellWords([reference])}${place} ${option} -- ${shellWords(command)}`;
  if (report.stopped?.reason === "unrecorded-tools") return again("--allow-unrecorded-tools");
  if (report.divergence !== null)
    return report.divergence.next.replace(
      /^reenact show \S+/,
      () => `reenact show ${short(report.divergence?.run ?? report.parent)}${place}`,
    );
  if (report.changedTools.length > 0)
    return `the source of a served tool or step has changed: ${again(report.changedTools.map((name) => `--run-tool ${shellWords([name])}`).join(" "))}`;
  return `reenact show ${short(report.parent)}${place}`;
}

function difference(recorded: unknown, now: unknown, paint: Paint): string[] {
  if (typeof recorded === "string" && typeof now === "string" && recorded.length + now.length < 20_000) {
    const parts = diffWords(recorded, now);
    const shown = parts
      .map((p) =>
        p.added
          ? paint("green", `{+${safe(p.value)}+}`)
          : p.removed
            ? paint("red", `[-${safe(p.value)}-]`)
            : shorten(p.value),
      )
      .join("");
    return [`  change: ${oneLineKeep(shown, 600)}`];
  }
  const before = size(recorded);
  const after = size(now);
  return [
    `  recorded: ${before ?? value(recorded)}`,
    `  now:      ${after ?? value(now)}${after !== null && after === before ? ", and not the same" : ""}`,
  ];
}

/** Unchanged text between two changes, cut in its middle. */
function shorten(text: string): string {
  const clean = safe(text).replace(/\s+/g, " ");
  return clean.length > 60 ? `${clean.slice(0, 28)} … ${clean.slice(-28)}` : clean;
}

function oneLineKeep(text: string, width: number): string {
  const flat = text.replace(/\n/g, "⏎");
  return flat.length > width ? `${flat.slice(0, width)}…` : flat;
}

/** For a value of which only the hash is known, which does not help a reader. */
function size(v: unknown): string | null {
  return typeof v === "object" && v !== null && "sha256" in v && "bytes" in v ? count(Number(v.bytes), "byte") : null;
}

function value(v: unknown): string {
  return v === undefined || v === null
    ? "nothing"
    : oneLine(typeof v === "string" ? v : (JSON.stringify(v) ?? ""), 300);
}
