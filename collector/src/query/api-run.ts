import type { RunRow } from "../catalog/run-row.ts";
import type { ApiRun } from "./api-schema.ts";

/** A row as the API shows it: without tenant and place. */
export function apiRunOf(row: RunRow): ApiRun {
  const { tenant, parts, ...shown } = row;
  void tenant;
  return {
    ...shown,
    replay: row.replay ?? null,
    incompleteReasons: [...row.incompleteReasons],
    flags: [...row.flags],
    tags: [...row.tags],
    models: [...row.models],
    tools: [...row.tools],
    traces: [...row.traces],
    tokenKinds: { ...row.tokenKinds },
    errors: row.errors ?? null,
    question: row.question ?? null,
    answer: row.answer ?? null,
    bytes: parts.reduce((sum, { length }) => sum + length, 0),
  };
}
