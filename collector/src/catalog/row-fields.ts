import type { ListField, NumberField, TextField } from "./filter.ts";
import type { RunRow } from "./run-row.ts";

/** The value of each text field of a filter in a row; null: the row has none. */
export const TEXT_OF: Readonly<Record<TextField, (row: RunRow) => string | null>> = {
  run: (row) => row.run,
  state: (row) => row.state,
  class: (row) => row.class,
  rule: (row) => row.rule,
  project: (row) => row.project,
  name: (row) => row.name,
  service: (row) => row.service,
  version: (row) => row.version,
  instance: (row) => row.instance,
  session: (row) => row.session,
  user: (row) => row.user,
  trigger: (row) => row.trigger,
  parent: (row) => row.parent,
  replayOf: (row) => row.replayOf,
  status: (row) => row.status,
  errorClass: (row) => row.error?.class ?? null,
  fingerprint: (row) => row.error?.fingerprint ?? null,
};

export const LIST_OF: Readonly<Record<ListField, (row: RunRow) => readonly string[]>> = {
  flag: (row) => row.flags,
  tag: (row) => row.tags,
  model: (row) => row.models,
  tool: (row) => row.tools,
  trace: (row) => row.traces,
};

export const NUMBER_OF: Readonly<Record<NumberField, (row: RunRow) => number | null>> = {
  started: (row) => row.started,
  ended: (row) => row.ended,
  received: (row) => row.received,
  duration: (row) => row.durationMs,
  steps: (row) => row.steps,
  llm: (row) => row.llm,
  toolCalls: (row) => row.toolCalls,
  tokens: (row) => row.tokens,
  cost: (row) => row.cost,
  errors: (row) => row.errors ?? null,
};

/** The form in which texts are compared: no driver has to keep a NUL or half a surrogate pair, and one can end a range. */
export const comparable = (text: string): string => text.toWellFormed().replaceAll(/\0|\u{10ffff}/gu, "\ufffd");
