import { diffWords } from "diff";
import type { ReplayReport } from "@reenact/replay";
import { count, dollars, duration, oneLine, safe, WRAP } from "@reenact/view";
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
  const others = report.runs.flatMap(({ run }) => run ?? []);
  const ids = new Set([...context.ids, report.parent, ...others, ...(report.run === null ? [] : [report.run])]);
  const short = shortIds(ids);
  const findings = report.findings.filter((f) => f !== "leak" && f !== report.divergence?.verdict);
  const lines = [
    verdictLine(report, context, paint),
    ...continuedLines(report),
    ...divergenceLines(report, ids, short, paint),
    ...runLines(report, short),
    ...report.notes.map((note) => `  ${safe(note)}`),
    ...refusalLines(report),
    ...(findings.length > 0 ? [`  also: ${findings.join(", ")}`] : []),
    ...(context.scratch === null ? [] : [`  files that it wrote: ${safe(context.scratch)}`]),
    `  next: ${safe(nextCommand(report, context, short))}`,
  ];
  return `${lines.join("\n")}\n`;
}

function verdictLine(report: ReplayReport, { recordedMs }: ReportContext, paint: Paint): string {
  const { verdict, recorded, live, refused, durationMs, sockets } = report;
  const isFaster = recordedMs !== null && durationMs > 0 && recordedMs > durationMs;
  const faster = isFaster ? ` (${Math.round(recordedMs / durationMs)}× faster)` : "";
  const changed = changedSteps(report);
  const counts = `${recorded} recorded, ${changed}${live} live, ${refused} refused · ${cost(report)} · ${duration(durationMs)}${faster} · ${sockets} sockets`;
  const mark =
    verdict === "diverged" ? paint("red", "✗") : verdict === "incomplete" ? paint("yellow", "!") : paint("green", "✓");
  return `${mark} ${said(report)}  ${counts}`;
}

/** Steps that `--run-tool` ran, and those whose result or request was given. */
function changedSteps({ edited, given = 0, calls }: ReplayReport): string {
  const sent = new Set(calls.flatMap(({ answer, slot }) => (answer === "edited" ? slot : []))).size;
  const anew = edited - given - sent;
  return `${anew > 0 ? `${anew} run anew, ` : ""}${given + sent > 0 ? `${given + sent} edited, ` : ""}`;
}

/** The verdict in words: of a replay that has left its record, whether it came to a good end. */
function said({ verdict, continued, stopped }: ReplayReport): string {
  if (verdict === "continued") return continued?.outcome === "fixed" ? "fixed" : "continued";
  if (continued?.outcome === "broken") return "broken";
  return stopped?.reason === "until" && verdict !== "diverged" ? `${verdict} so far` : verdict;
}

/** Where the record was left; one line. */
function continuedLines({ continued }: ReplayReport): string[] {
  if (continued === undefined) return [];
  const { behind, why, outcome } = continued;
  const steps = behind === 0 ? "from its start on" : `as recorded up to step ${behind}, then on its own`;
  const end = {
    fixed: "the recorded run failed, and this one came to a good end",
    ended: "it came to a good end",
    broken: "it came to no good end",
    stopped: "it was stopped",
  }[outcome];
  return [`  ${steps} (${safe(why)}): ${end}`];
}

/** What the live calls have cost. */
function cost({ costUsd, costKnownUsd = 0 }: ReplayReport): string {
  if (costUsd === null) return costKnownUsd > 0 ? `more than ${dollars(costKnownUsd)}` : "cost unknown";
  return dollars(costUsd);
}

/** The first difference: where it is, its cause, and both sides of it. */
function divergenceLines(report: ReplayReport, ids: ReadonlySet<string>, short: Short, paint: Paint): string[] {
  const d = report.divergence;
  if (d === null) return [];
  const step = d.step === null ? "" : `step ${d.step}  `;
  const slot = d.slot === null ? "" : `${safe(d.slot)}  `;
  const cause = d.cause.replaceAll(/\b[0-9a-f]{32}\b/g, (id) => (ids.has(id) ? short(id) : id));
  const pointer = d.pointer ?? "";
  const others = d.others.map(({ of, pointer }) => safe(`${of ?? ""} ${pointer}`.trim()));
  return [
    `  ${runOf(d, short)}${step}${slot}${d.verdict}`,
    `  cause: ${safe(cause)}`,
    ...(pointer === "" ? [] : [`  at ${d.of === null ? "" : `${d.of} `}${safe(pointer)}`]),
    ...(d.recorded === null && d.now === null ? [] : difference(d.recorded, d.now, paint)),
    ...(others.length > 0 ? [`  also differs: ${others.join(", ")}`] : []),
  ];
}

/** What was not let through, and what stopped the replay unless the divergence names it. */
function refusalLines({ refusals, stopped, divergence }: ReplayReport): string[] {
  const more = refusals.length - MOST_REFUSALS;
  return [
    ...refusals.slice(0, MOST_REFUSALS).map(refusalLine),
    ...(more > 0 ? [`  … and ${more} more refusals (--json-file lists them)`] : []),
    ...(refusals.some(({ tool }) => tool === null) ? [`  it is in no record: ${WRAP}`] : []),
    ...(stopped === null || stopped.message === divergence?.cause ? [] : [`  stopped: ${safe(stopped.message)}`]),
  ];
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
  // the first is the run that was asked for; of the others most are later ones, which nothing began
  const begun = runs.filter(({ verdict }, at) => at === 0 || verdict !== "not-begun");
  const line = begun
    .slice(0, MOST_RUNS)
    .map(({ run, name, verdict }) => `"${oneLine(name, 40)}"${run === null ? "" : ` ${short(run)}`} ${verdict}`);
  const hidden = begun.length > MOST_RUNS ? [`${begun.length - MOST_RUNS} more (--json-file lists them)`] : [];
  const rest = runs.length > begun.length ? [`${runs.length - begun.length} not-begun`] : [];
  return [`  runs of the process: ${[...line, ...hidden, ...rest].join(", ")}`];
}

/** What to type next. */
export function nextCommand(
  report: ReplayReport,
  { reference, command, place }: Pick<ReportContext, "reference" | "command" | "place">,
  short: Short,
): string {
  const again = (option: string): string =>
    `reenact replay ${shellWords([reference])}${place} ${option} -- ${shellWords(command)}`;
  if (report.stopped?.reason === "unrecorded-tools") return again("--allow-unrecorded-tools");
  if (report.divergence !== null && report.continued === undefined)
    return report.divergence.next.replace(
      /^reenact show \S+/,
      () => `reenact show ${short(report.divergence?.run ?? report.parent)}${place}`,
    );
  if (report.continued !== undefined && report.run !== null) return `reenact show ${short(report.run)}${place}`;
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
