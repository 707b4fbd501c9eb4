import { endTime } from "@reenact/envelope";
import type { Manifest, RetentionClass } from "@reenact/envelope/schema";
import { runReplay } from "@reenact/view";
import type { RunIndex } from "./index-run.ts";
import type { RunPart, RunRow } from "./run-row.ts";

const NANO = 1_000_000n;

/** Facts of a sealed run that only the collector knows: its manifest lacks them. */
export interface Sealed {
  readonly tenant: string;
  readonly class: RetentionClass;
  readonly rule: string | null;
  /** of its first span, milliseconds since the epoch */
  readonly received: number;
  readonly parts: readonly RunPart[];
}

/** The row of a sealed run. Equal input, equal row: a catalog made again from the packs is the same one. */
export function rowOf(manifest: Manifest, index: RunIndex, sealed: Sealed): RunRow {
  const { counts, tokens } = manifest;
  return {
    tenant: sealed.tenant,
    run: manifest.run,
    revision: manifest.revision,
    state: "sealed",
    class: sealed.class,
    rule: sealed.rule,
    project: index.project,
    name: manifest.name,
    ...originOf(manifest),
    replay: runReplay(manifest),
    status: manifest.status,
    complete: manifest.complete,
    incompleteReasons: manifest.incompleteReasons,
    error: manifest.error && {
      class: manifest.error.class,
      message: manifest.error.message,
      fingerprint: manifest.error.fingerprint,
    },
    flags: manifest.flags,
    tags: index.tags,
    models: manifest.models,
    tools: index.tools,
    traces: manifest.traces,
    ...timesOf(manifest),
    received: sealed.received,
    steps: manifest.slots,
    llm: counts["LLM"] ?? 0,
    toolCalls: counts["TOOL"] ?? 0,
    tokens: tokens["total"] ?? (tokens["prompt"] ?? 0) + (tokens["completion"] ?? 0),
    tokenKinds: tokens,
    errors: index.errors,
    question: index.question,
    answer: index.answer,
    cost: manifest.cost?.usd ?? null,
    parts: sealed.parts,
  };
}

/** Service, instance, session, user, trigger and parents of a run. */
function originOf({ service, instance, session, user, trigger, parent, replay }: Manifest) {
  return {
    service: service.name ?? null,
    version: service.version ?? null,
    instance: instance ?? null,
    session: session ?? null,
    user: user ?? null,
    trigger: trigger ?? null,
    parent: parent ?? null,
    replayOf: replay?.of ?? null,
  };
}

function timesOf({ started, ended }: Manifest): Pick<RunRow, "started" | "ended" | "durationMs"> {
  const start = BigInt(started);
  const end = endTime(start, BigInt(ended ?? 0));
  return {
    started: Number(start / NANO),
    ended: end === null ? null : Number(end / NANO),
    durationMs: end === null ? null : Number(end - start) / 1e6,
  };
}
