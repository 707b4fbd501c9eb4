import { PROVIDERS } from "@reenact/providers";
import { count, dollars, duration, oneLine, runRow, WRAP } from "@reenact/view";
import type { Paint } from "./painter.ts";
import type { Hindrance, Outlook } from "../replay/replay-outlook.ts";
import type { RunFile } from "../store/run-files.ts";
import { statusMark, stepsLine } from "./run-line.ts";
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
  /** address of a collector whose pages show it; null: none is known */
  pages: string | null;
  /** ids of the runs in the store */
  ids: readonly string[];
  /** options with which a further command finds it, a blank ahead */
  place: string;
}

/** What `reenact run` says when nothing was recorded. `problem`: what stood in the way, as far as that shows from here. */
export function printNothing(problem: string | null, place: string): string {
  const titles = PROVIDERS.filter(({ hosts }) => hosts.length > 0).map(({ title }) => title);
  const why =
    problem ??
    `no model of a known provider (${titles.join(", ")}, or any host that takes a JSON body with a model and a prompt) and no tool() was called, unless a line above says what stood in the way. Where another provider is called, put agent("name", fn) of @reenact/node around what is to be a run: its HTTP calls are recorded then. Calls in worker threads are not recorded`;
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
  { runs, command, byCommand, outlook, children, sentTo, pages, place, ids }: SummaryContext,
  paint: Paint,
): string {
  const { run: runId } = runRow(run);
  const short = shortIds([...ids, runId, ...children.map(({ run: child }) => child.header.run)]);
  const id = short(runId);
  const hindrances = outlook?.hindrances ?? [];
  const lines = [
    statusLine(run, id, paint),
    factsLine(run, hindrances),
    ...(sentTo === null ? [] : [`  run ${id} → ${sentTo}`]),
    ...(pages === null ? [] : [`  page: ${pages.replace(/\/+$/, "")}/r/${runId.slice(0, 12)}`]),
    ...(run.header.status === "suspended"
      ? [`  it waits for an answer: reenact resume ${id}${place} --answer <value> -- ${shellWords(command)}`]
      : []),
    ...hindranceLines(hindrances, paint),
    needsWrap(hindrances)
      ? `  next: ${WRAP}. All of it: reenact show ${id}${place}`
      : `  replay: reenact replay ${id}${place}${outlook?.options ?? ""} -- ${byCommand ? shellWords(command) : startOf(run, outlook)}`,
    ...children.slice(0, MOST).map((child) => childLine(child, short(child.run.header.run), byCommand, place)),
    ...(runs > 1 ? [`  ${runs - 1} more: reenact ls${place}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function statusLine(run: RunFile, id: string, paint: Paint): string {
  const { status, error } = runRow(run);
  if (status === "ok") return `${paint("green", "✓")} run ${id}  ok`;
  const { manifest: m } = run;
  const step = m.error?.step;
  const at = step === undefined ? "" : ` at step ${step + 1}/${m.steps}`;
  return `${paint(...statusMark(status))} run ${id}  ${status}${at}${error === null ? "" : `  ${oneLine(error, 70)}`}`;
}

function factsLine(run: RunFile, hindrances: readonly Hindrance[]): string {
  const row = runRow(run);
  const { redaction, incompleteReasons } = run.manifest;
  const redacted = Object.values(redaction.counts).reduce((a, b) => a + b, 0);
  const isWhole = !hindrances.some(({ stops, refused }) => stops || refused);
  const facts = [
    stepsLine(row),
    row.durationMs === null ? "not ended" : duration(row.durationMs),
    ...(row.tokens > 0 ? [count(row.tokens, "token")] : []),
    ...(row.cost === null ? [] : [dollars(row.cost)]),
    `${count(redacted, "value")} redacted`,
    row.complete
      ? isWhole
        ? "complete"
        : "not all recorded"
      : `incomplete: ${oneLine(incompleteReasons[0] ?? "unknown", 100)}`,
  ];
  return `  ${facts.join(" · ")}`;
}

/** Whether a replay needs a change of the program first; for a tool that is not recorded an option of the replay is enough. */
function needsWrap(hindrances: readonly Hindrance[]): boolean {
  return hindrances.some(({ stops, refused, kind }) => refused || (stops && kind !== "unrecorded-tool"));
}

function childLine(
  { run, outlook }: SummaryContext["children"][number],
  id: string,
  byCommand: boolean,
  place: string,
): string {
  const whose = `  run ${id} is of ${byCommand ? "a process that it started" : "another process"};`;
  const missing = outlook?.hindrances.find(({ stops, refused }) => stops || refused)?.what;
  if (missing !== undefined) return `${whose} not all recorded: ${missing}. All of it: reenact show ${id}${place}`;
  return `${whose} replay it by itself: reenact replay ${id}${place} -- ${startOf(run, outlook)}`;
}

const MOST = 3;

function hindranceLines(hindrances: readonly Hindrance[], paint: Paint): string[] {
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
    ...(stops.length === 0 ? [] : [`  ${mark} a replay stops at what is not recorded: ${list(stops)}`]),
    ...(refused.length === 0
      ? []
      : [`  ${mark} a replay refuses what is not recorded, and diverges if that changes anything: ${list(refused)}`]),
    ...(notes.length === 0 ? [] : [`  ${mark} not recorded: ${list(notes)}; ${notes[0]?.next}`]),
  ];
}

/** The command of a run that another process than the user's own has made. */
function startOf(run: RunFile, outlook: Outlook | null): string {
  const program = outlook?.program ?? null;
  return program === null ? `<what starts ${oneLine(run.manifest.name, 60)}>` : shellWords(program);
}
