import { setTimeout as pause } from "node:timers/promises";
import type { RunRow } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { painter } from "./painter.ts";
import { runLines } from "./run-line.ts";

export interface Watched {
  /** the runs as they are now, newest first */
  look(): Promise<readonly RunRow[]>;
  /** milliseconds between two looks */
  every: number;
  json: boolean;
  quiet: boolean;
  /** absent: for ever */
  signal?: AbortSignal;
}

/**
 * Shows a list of runs as it changes. On a terminal the list is drawn again in its place; elsewhere each run is a line when
 * it comes, and again when something of its line changes. What cannot be reached at first is thrown; later it is told once,
 * and looked for again.
 */
export async function watchList(watched: Watched, out: NodeJS.WriteStream = process.stdout): Promise<void> {
  const { every, json, quiet, signal } = watched;
  const show = out.isTTY && !json ? onTerminal(out) : asLines(out, json);
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, ...(signal ? [signal] : [])]);
  out.once("error", () => over.abort());
  let trouble: string | null = null;
  show(await watched.look());
  for (;;) {
    await pause(every, null, { signal: ended }).catch(() => {});
    if (ended.aborted) return;
    try {
      const rows = await watched.look();
      trouble = null;
      show(rows);
    } catch (error) {
      const { line } = CliError.from(error);
      if (line !== trouble && !quiet) process.stderr.write(line);
      trouble = line;
    }
  }
}

function onTerminal(out: NodeJS.WriteStream): (rows: readonly RunRow[]) => void {
  const paint = painter(out);
  let drawn: string | null = null;
  let height = 0;
  return (rows) => {
    const fit = rows.slice(0, Math.max(1, (out.rows ?? 24) - 2));
    const lines = runLines(fit, paint, out.columns ?? 80);
    const text = lines.length === 0 ? "no runs yet\n" : lines.map((line) => `${line}\n`).join("");
    if (text === drawn) return;
    out.write(`${height > 0 ? `\u001B[${height}A` : ""}\r\u001B[J${text}`);
    drawn = text;
    height = Math.max(1, lines.length);
  };
}

function asLines(out: NodeJS.WriteStream, json: boolean): (rows: readonly RunRow[]) => void {
  const known = new Map<string, string>();
  return (rows) => {
    const lines = json
      ? rows.map((row) => JSON.stringify({ schemaVersion: 1, run: row }))
      : runLines(rows, (_, text) => text);
    for (const [at, row] of [...rows.entries()].toReversed()) {
      const line = lines[at]!;
      if (known.get(row.run) === line) continue;
      known.set(row.run, line);
      out.write(`${line}\n`);
    }
  };
}
