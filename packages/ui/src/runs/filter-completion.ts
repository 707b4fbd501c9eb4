import { termOf } from "./filter-term.ts";

/** Fields whose values the collector counts, each with its name in a filter and in the API. */
const COUNTED: Readonly<Record<string, string>> = {
  status: "status",
  agent: "name",
  model: "model",
  tool: "tool",
  error: "errorClass",
  service: "service",
  version: "version",
  user: "user",
  session: "session",
  tag: "tag",
  flag: "flag",
  class: "class",
  rule: "rule",
  trigger: "trigger",
  state: "state",
  instance: "instance",
};
/** Fields that are compared, each with what a value looks like. */
const COMPARED: Readonly<Record<string, string>> = {
  duration: "10s, 250ms",
  cost: "0.5 dollars",
  tokens: "1000",
  steps: "10",
  errors: "0",
  llm: "5 model calls",
  tools: "5 tool calls",
  started: "-2h, 2026-11-20T16:00",
  ended: "-2h, 2026-11-20T16:00",
};
const OTHER: Readonly<Record<string, string>> = { complete: "yes or no", "replay-of": "a run’s id", run: "a run’s id" };
const FIELDS: readonly string[] = [COUNTED, COMPARED, OTHER].flatMap((fields) => Object.keys(fields));

/** What stands before the cursor and can be completed: a word that may be a field, or a value of one. */
export type Unfinished =
  | { readonly is: "field"; readonly from: number; readonly text: string }
  | {
      readonly is: "value";
      readonly from: number;
      readonly text: string;
      readonly field: string;
      /** in the API; null: its values are not counted */
      readonly counted: string | null;
    };
/** One completion. `insert` takes the place of what is unfinished; `isWhole`: a condition is complete with it. */
export interface Completion {
  readonly insert: string;
  readonly note: string;
  readonly isWhole: boolean;
}

const FIELD = /[A-Za-z][A-Za-z-]*(?=:|=|!=|<=|>=|<|>)/y;
const OPERATOR = /!=|<=|>=|[:=<>]/y;
const QUOTED = /"(?:[^"\\]|\\.)*"?\*?/y;
const BARE = /[^\s"(),]+/y;
const BETWEEN = /[\s()-]+/y;

/** What is unfinished at a place of a filter expression; null: nothing is, or the cursor stands in the middle of a word. */
export function unfinishedAt(filter: string, place: number): Unfinished | null {
  if (/^[^\s),]/.test(filter.slice(place))) return null;
  const before = filter.slice(0, place);
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(before)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  let last: Unfinished | null = null;
  while (at < before.length) {
    const from = at;
    last = null;
    if (take(BETWEEN) !== null) last = { is: "field", from: at, text: "" };
    else if (take(QUOTED) === null) {
      const field = take(FIELD);
      if (field === null) last = { is: "field", from, text: take(BARE) ?? before[at++] ?? "" };
      else {
        take(OPERATOR);
        last = valueFrom(field.toLowerCase());
      }
    }
  }
  return before === "" ? { is: "field", from: 0, text: "" } : last;

  /** The last one of the values of a field that are divided by commas. */
  function valueFrom(field: string): Unfinished {
    for (;;) {
      const from = at;
      const text = take(QUOTED) ?? take(BARE) ?? "";
      if (before[at] !== ",") {
        const counted = Object.hasOwn(COUNTED, field) ? COUNTED[field]! : null;
        return { is: "value", from, text: text.replace(/^"/, ""), field, counted };
      }
      at++;
    }
  }
}

/** What can stand in its place. `values`: those of the field that the collector has, the most frequent first. */
export function completionsOf(
  { is, text, ...rest }: Unfinished,
  values: readonly { readonly value: string; readonly runs: number }[],
): readonly Completion[] {
  const typed = text.toLowerCase();
  if (is === "value") {
    const { field } = rest as { field: string };
    const known = field === "complete" ? ["yes", "no"].map((value) => ({ value, runs: 0 })) : values;
    return known
      .filter(({ value }) => value !== "" && value !== text && value.toLowerCase().includes(typed))
      .map(({ value, runs }) => ({
        insert: termOf("", value).slice(1),
        note: runs === 0 ? "" : `${runs} ${runs === 1 ? "run" : "runs"}`,
        isWhole: true,
      }));
  }
  const named = FIELDS.filter((name) => name.startsWith(typed));
  return named.flatMap((name): Completion[] => {
    const note = COMPARED[name] ?? OTHER[name] ?? "";
    const operators = Object.hasOwn(COMPARED, name) ? [">", "<", ":"] : name === typed ? [":", "!="] : [":"];
    return (name === typed ? operators : operators.slice(0, 1)).map((operator) => ({
      insert: `${name}${operator}`,
      note,
      isWhole: false,
    }));
  });
}
