import { count, duration, oneLine, type RunRow } from "@reenact/view";
import type { Paint } from "./painter.ts";
import { shortIds } from "./short-ids.ts";

/** The runs of a list, one a line; what is longer than `width` characters is cut. */
export function runLines(rows: readonly RunRow[], paint: Paint, width = Number.MAX_SAFE_INTEGER): string[] {
  const short = shortIds(rows.flatMap(({ run, replayOf }) => (replayOf === null ? run : [run, replayOf])));
  const longest = Math.max(...rows.map(({ run }) => short(run).length));
  return rows.map((row) => runLine(row, { id: short(row.run).padEnd(longest), short }, paint, width));
}

interface Ids {
  readonly id: string;
  readonly short: (run: string) => string;
}

/** Colour and sign of how a run ended. */
export function statusMark(status: string): readonly ["green" | "yellow" | "red", string] {
  if (status === "ok") return ["green", "✓"];
  return status === "suspended" ? ["yellow", "‖"] : ["red", "✗"];
}

function runLine(row: RunRow, { id, short }: Ids, paint: Paint, width: number): string {
  const [colour, sign] = row.state === "open" ? (["yellow", "…"] as const) : statusMark(row.status);
  const parts = [
    id,
    row.started.replace("T", " ").slice(0, 19),
    oneLine(row.name, 40).padEnd(18),
    stepsLine(row).padEnd(28),
    row.durationMs === null ? "–" : duration(row.durationMs),
    row.replayOf === null ? "" : `replay of ${short(row.replayOf)}${verdictOf(row)}`,
    row.status === "aborted" || row.status === "suspended" ? row.status : "",
    row.state === "open" ? "still open" : row.complete ? "" : "incomplete",
    row.error === null ? "" : oneLine(row.error, 60),
  ];
  const text = parts.filter((part) => part !== "").join("  ");
  const room = Math.max(0, width - 3);
  return `${paint(colour, sign)}  ${text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text}`;
}

/** `, diverged at step 3`; nothing where the replay did not say */
export function verdictOf({ replay }: Pick<RunRow, "replay">): string {
  if (!replay?.verdict) return "";
  return `, ${oneLine(replay.verdict, 40)}${replay.step === null ? "" : ` at step ${replay.step}`}`;
}

/** `3 steps (2 llm, 1 tool)`; a run of another instrumentation has calls and no steps. */
export function stepsLine({ steps, llm, tools }: Pick<RunRow, "steps" | "llm" | "tools">): string {
  const all = steps === 0 && llm + tools > 0 ? "spans only" : count(steps, "step");
  return `${all} (${llm} llm, ${count(tools, "tool")})`;
}
