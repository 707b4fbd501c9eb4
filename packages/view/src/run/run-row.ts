import { endTime } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { type RunReplay, runReplay } from "./run-replay.ts";

/** One run of a list. `ls --json` prints it; fields are only ever added. */
export interface RunRow {
  run: string;
  name: string;
  status: string;
  complete: boolean;
  class: string;
  /** slots: the attempts of one call count once */
  steps: number;
  llm: number;
  tools: number;
  /** ISO 8601 */
  started: string;
  durationMs: number | null;
  tokens: number;
  /** US dollars; null: not known */
  cost: number | null;
  error: string | null;
  /** id of the run that this one replays */
  replayOf: string | null;
  /** null: it is no replay */
  replay: RunReplay | null;
  /** "open": a collector is still receiving it */
  state: "open" | "sealed";
}

export function runRow({ header, manifest: m }: Pick<Envelope, "header" | "manifest">): RunRow {
  return {
    run: header.run,
    name: m.name,
    status: header.status,
    complete: m.complete,
    class: header.class,
    steps: m.slots,
    llm: m.counts["LLM"] ?? 0,
    tools: m.counts["TOOL"] ?? 0,
    started: new Date(Number(BigInt(m.started) / 1_000_000n)).toISOString(),
    durationMs: durationMs(m),
    tokens: m.tokens["total"] ?? (m.tokens["prompt"] ?? 0) + (m.tokens["completion"] ?? 0),
    cost: m.cost?.usd ?? null,
    error: m.error?.message ?? null,
    replayOf: m.replay?.of ?? null,
    replay: runReplay(m),
    state: "sealed",
  };
}

/** Milliseconds from the start of a run to its end, 0 where a clock was set back before that; null: it has not ended. */
export function durationMs({ started, ended }: { started: string; ended: string | null }): number | null {
  const start = BigInt(started);
  const end = endTime(start, BigInt(ended ?? 0));
  return end === null ? null : Number((end - start) / 1_000_000n);
}
