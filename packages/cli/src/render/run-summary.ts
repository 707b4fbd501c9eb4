import { PROVIDERS } from "@reenact/providers";
import { count, duration, oneLine, runRow, WRAP } from "@reenact/view";
import type { Paint } from "./painter.ts";
import type { Hindrance, Outlook } from "../replay/replay-outlook.ts";
import type { RunFile } from "../store/run-files.ts";
import { stepsLine } from "./run-line.ts";
import { shortIds } from "./short-ids.ts";
import { shellWords } from "./shell-words.ts";

export interface SummaryContext {
  /** how many runs there were in all */
  runs: number;
  command: string[];
  /** false: another process has made it, one that the command has started */
  byCommand: boolean;
  /** null: not known */
  outlook: Outlook | null;
  /** of processes that the command's own has started, with a model's calls of their own */
  children: { run: RunFile; outlook: Outlook | null }[];
  /** of the collector that has it; null: it is in the local store */
  sentTo: string | null;
  /** ids of the runs in the store */
  ids: readonly string[];
  /** options with which a further command finds it, a blank ahead */
  place: string;
}

/** What `reenact run` says when nothing was recorded. `problem`: what stood in the way, as far as that shows from here. */
export function printNothing(problem: string | null, place: string): string {
  const why =
    problem ??
    `no model of a known provider (${PROVIDERS.map(({ title }) => title).join(", ")} and compatible hosts) and no tool() was called, unless a line above says what stood in the way. Where another provider is called, put agent("name", fn) of @reenact/node around what is to be a run: its HTTP calls are recorded then. Calls in worker threads are not recorded`;
  return `reenact: no run was recorded: ${oneLine(why, 600)}. Next: reenact doctor${place}\n`;
}

/** What `reenact run` says of runs that it found ended and sealed, and that are not of its command. */
export function printOthers(runs: number, place: string): string {
  if (runs === 0) return "";
  const what = runs === 1 ? "1 run of another process was" : `${runs} runs of other processes were`;
  return `${what} sealed too: reenact ls${place}\n`;
}

/** What `reenact run` says when the agent has ended. */
export function printSummary(
  run: RunFile,
  { runs, command, byCommand, outlook, children, sentTo, place, ids }: SummaryContext,
  paint: Paint,
): string {
  const row = runRow(run);
  const { manifest: m } = run;
  const short = shortIds([...ids, row.run, ...children.map(({ run: child }) => child.header.run)]);
  const id = short(row.run);
  const redacted = Object.values(m.redaction.counts).reduce((a, b) => a + b, 0);
  const failedStep = m.error?.step;
  const what =
    row.status === "ok"
      ? `${paint("green", "✓")} run ${id}  ok`
      : `${paint("red", "✗")} run ${id}  ${row.status}${failedStep === undefined ? "" : ` at step ${failedStep + 1}/${m.steps}`}${row.error === null ? "" : `  ${oneLine(row.error, 70)}`}`;
  const hindrances = outlook?.hindrances ?? [];
  const stops = hindrances.filter((each) => each.stops);
  const refused = hindrances.filter((each) => each.refused);
  const facts = [
    stepsLine(row),
    row.durationMs === null ? "not ended" : duration(row.durationMs),
    ...(row.tokens > 0 ? [count(row.tokens, "token")] : []),
    ...(row.cost === null ? [] : [`$${row.cost.toFixed(4)}`]),
    `${count(redacted, "value")} redacted`,
    row.complete
      ? stops.length === 0 && refused.length === 0
        ? "complete"
        : "not all recorded"
      : `incomplete: ${oneLine(m.incompleteReasons[0] ?? "unknown", 100)}`,
  ];
  const more = runs > 1 ? `  ${runs - 1} more: reenact ls${place}\n` : "";
  const others = children.slice(0, MOST).map(({ run: child, outlook: of }) => {
    const childId = short(child.header.run);
    const whose = `  run ${childId} is of ${byCommand ? "a process that it started" : "another process"};`;
    const missing = of?.hindrances.find(({ stops, refused }) => stops || refused)?.what;
    if (missing !== undefined)
      return `${whose} not all recorded: ${missing}. All of it: reenact show ${childId}${place}\n`;
    return `${whose} replay it by itself: reenact replay ${childId}${place} -- ${startOf(child, of)}\n`;
  });
  const where = sentTo === null ? "" : `  run ${id} → ${sentTo}\n`;
  const again = byCommand ? shellWords(command) : startOf(run, outlook);
  const options = outlook?.options ?? "";
  const isRefused = refused.length > 0 || stops.some(({ kind }) => kind !== "unrecorded-tool");
  const next = isRefused
    ? `  next: ${WRAP}. All of it: reenact show ${id}${place}\n`
    : `  replay: reenact replay ${id}${place}${options} -- ${again}\n`;
  return `${what}\n  ${facts.join(" · ")}\n${where}${hindranceLines(hindrances, paint)}${next}${others.join("")}${more}`;
}

const MOST = 3;

function hindranceLines(hindrances: readonly Hindrance[], paint: Paint): string {
  const stops = hindrances.filter((each) => each.stops);
  const refused = hindrances.filter((each) => each.refused);
  const notes = hindrances.filter((each) => !each.stops && each.refused !== true);
  const list = (each: readonly Hindrance[]): string =>
    [
      ...each.slice(0, MOST).map(({ what }) => what),
      ...(each.length > MOST ? [`${each.length - MOST} more`] : []),
    ].join("; ");
  const mark = paint("yellow", "!");
  return [
    ...(stops.length === 0 ? [] : [`  ${mark} a replay stops at what is not recorded: ${list(stops)}\n`]),
    ...(refused.length === 0
      ? []
      : [`  ${mark} a replay refuses what is not recorded, and diverges if that changes anything: ${list(refused)}\n`]),
    ...(notes.length === 0 ? [] : [`  ${mark} not recorded: ${list(notes)}; ${notes[0]?.next}\n`]),
  ].join("");
}

/** The command of a run that another process than the user's own has made. */
function startOf(run: RunFile, outlook: Outlook | null): string {
  const program = outlook?.program ?? null;
  return program === null ? `<what starts ${oneLine(run.manifest.name, 60)}>` : shellWords(program);
}
