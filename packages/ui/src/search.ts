export const ORDERS = ["started", "duration", "cost", "tokens", "errors"] as const;
export const TABS = ["transcript", "timeline", "context", "raw"] as const;
export type Tab = (typeof TABS)[number];

/** The state of the list of runs, in its address. */
export interface RunsSearch {
  readonly filter?: string | undefined;
  readonly order?: (typeof ORDERS)[number] | undefined;
  /** where the page begins */
  readonly after?: string | undefined;
}
/** The state of a run's page. */
export interface RunSearch {
  readonly tab?: Tab | undefined;
  /** number of the selected step; while the run is open the id of its span, since a step that comes late changes numbers */
  readonly step?: number | string | undefined;
  /** the timeline as a table */
  readonly as?: "table" | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;
/** One of some words; what is not of them is left out of the address. */
const oneOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value);

export const runsSearch = (search: Readonly<Record<string, unknown>>): RunsSearch => ({
  filter: text(search["filter"]),
  order: oneOf(search["order"], ORDERS),
  after: text(search["after"]),
});

export function runSearch(search: Readonly<Record<string, unknown>>): RunSearch {
  const { step } = search;
  const number = Number(step);
  const id = typeof step === "string" && /^[0-9a-f]{16}$/.test(step) ? step : undefined;
  return {
    tab: oneOf(search["tab"], TABS),
    step: id ?? (Number.isSafeInteger(number) && number > 0 ? number : undefined),
    as: oneOf(search["as"], ["table"] as const),
  };
}
