/** Fields that hold one text. */
export const TEXT_FIELDS = [
  "run",
  "state",
  "class",
  "rule",
  "project",
  "name",
  "service",
  "version",
  "instance",
  "session",
  "user",
  "trigger",
  "parent",
  "replayOf",
  "status",
  "errorClass",
  "fingerprint",
] as const;
/** Fields that hold several texts; a term holds if one of them fits. */
export const LIST_FIELDS = ["flag", "tag", "model", "tool", "trace"] as const;
/** Milliseconds, dollars or counts. An unknown value fits no comparison. */
export const NUMBER_FIELDS = [
  "started",
  "ended",
  "received",
  "duration",
  "steps",
  "llm",
  "toolCalls",
  "tokens",
  "cost",
  "errors",
] as const;

export type TextField = (typeof TEXT_FIELDS)[number];
export type ListField = (typeof LIST_FIELDS)[number];
export type NumberField = (typeof NUMBER_FIELDS)[number];
export type Comparison = "<" | "<=" | "=" | ">=" | ">";

/** A condition on a row. Drivers compile it to their own query language; `matches` defines its meaning. */
export type Filter =
  | { readonly is: "all"; readonly of: readonly Filter[] }
  | { readonly is: "any"; readonly of: readonly Filter[] }
  | { readonly is: "not"; readonly of: Filter }
  /** one of the values, exactly */
  | { readonly is: "one-of"; readonly field: TextField | ListField; readonly values: readonly string[] }
  | { readonly is: "starts"; readonly field: TextField | ListField; readonly prefix: string }
  | { readonly is: "number"; readonly field: NumberField; readonly op: Comparison; readonly value: number }
  | { readonly is: "complete"; readonly value: boolean }
  /** the words of `text`, one after another, somewhere in the run's text */
  | { readonly is: "words"; readonly text: string };

/** Fits every row. */
export const EVERYTHING: Filter = { is: "all", of: [] };

/** Whether the filter has a free-text search, which finds sealed runs only. */
export function asksWords(filter: Filter): boolean {
  if (filter.is === "words") return true;
  if (filter.is === "not") return asksWords(filter.of);
  return (filter.is === "all" || filter.is === "any") && filter.of.some(asksWords);
}
