import type { ListField, NumberField, TextField } from "../catalog/filter.ts";

export type FilterField =
  | { readonly kind: "text"; readonly name: TextField | ListField }
  | { readonly kind: "number" | "duration" | "time"; readonly name: NumberField }
  | { readonly kind: "complete" };

/** Names as they are typed, in lower case; several names may mean the same. */
export const FILTER_FIELDS: Readonly<Record<string, FilterField>> = {
  run: { kind: "text", name: "run" },
  state: { kind: "text", name: "state" },
  status: { kind: "text", name: "status" },
  class: { kind: "text", name: "class" },
  rule: { kind: "text", name: "rule" },
  project: { kind: "text", name: "project" },
  agent: { kind: "text", name: "name" },
  name: { kind: "text", name: "name" },
  service: { kind: "text", name: "service" },
  version: { kind: "text", name: "version" },
  instance: { kind: "text", name: "instance" },
  session: { kind: "text", name: "session" },
  user: { kind: "text", name: "user" },
  trigger: { kind: "text", name: "trigger" },
  parent: { kind: "text", name: "parent" },
  "replay-of": { kind: "text", name: "replayOf" },
  error: { kind: "text", name: "errorClass" },
  fingerprint: { kind: "text", name: "fingerprint" },
  flag: { kind: "text", name: "flag" },
  tag: { kind: "text", name: "tag" },
  model: { kind: "text", name: "model" },
  tool: { kind: "text", name: "tool" },
  trace: { kind: "text", name: "trace" },
  started: { kind: "time", name: "started" },
  ended: { kind: "time", name: "ended" },
  received: { kind: "time", name: "received" },
  duration: { kind: "duration", name: "duration" },
  steps: { kind: "number", name: "steps" },
  llm: { kind: "number", name: "llm" },
  tools: { kind: "number", name: "toolCalls" },
  tokens: { kind: "number", name: "tokens" },
  cost: { kind: "number", name: "cost" },
  errors: { kind: "number", name: "errors" },
  complete: { kind: "complete" },
};

export function fieldNamed(name: string): FilterField | null {
  const key = name.toLowerCase();
  return Object.hasOwn(FILTER_FIELDS, key) ? FILTER_FIELDS[key]! : null;
}
