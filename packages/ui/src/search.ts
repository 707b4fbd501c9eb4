export const ORDERS = ["started", "duration", "cost", "tokens", "errors"] as const;
export const TABS = ["transcript", "timeline", "context", "cost", "raw"] as const;
export type Tab = (typeof TABS)[number];

/** The state of the list of runs, in its address. */
export interface RunsSearch {
  readonly filter?: string | undefined;
  readonly order?: (typeof ORDERS)[number] | undefined;
  /** where the page begins */
  readonly after?: string | undefined;
  /** ids of one or two runs that are to be compared, by commas */
  readonly marked?: string | undefined;
}
/** The state of the list of errors. */
export interface ErrorsSearch {
  readonly filter?: string | undefined;
  /** the version since which an error is new */
  readonly since?: string | undefined;
  readonly only?: "new" | undefined;
}
/** The state of the list of tests. */
export interface TestsSearch {
  readonly only?: "failed" | undefined;
  /** path of the selected one */
  readonly test?: string | undefined;
}
/** The state of the workbench of a run. */
export interface WorkbenchSearch {
  /** id of the replay that is shown */
  readonly replay?: string | undefined;
  /** names of tools whose bodies run, by commas */
  readonly tools?: string | undefined;
}
/** The state of the settings: other times than those that are set. */
export interface SettingsSearch {
  /** durations, as the configuration writes them */
  readonly short?: string | undefined;
  readonly sample?: string | undefined;
  readonly share?: number | undefined;
}
/** The state of a comparison of two runs. */
export interface DiffSearch {
  /** the selected row, from 1 */
  readonly row?: number | undefined;
  /** equal steps are shown, too */
  readonly all?: true | undefined;
}
/** The state of a run's page. */
export interface RunSearch {
  readonly tab?: Tab | undefined;
  /** number of the selected step; while the run is open the id of its span, since a step that comes late changes numbers */
  readonly step?: number | string | undefined;
  /** the timeline as a table */
  readonly as?: "table" | undefined;
  /** what is looked for in the run; empty: the field is open */
  readonly find?: string | undefined;
  /** the transcript without its messages */
  readonly fold?: true | undefined;
}

/** Texts as they are: an id of digits alone, or one like `828e063523321280`, is no number. */
export const parseSearch = (address: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(address));
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const isTrue = (value: unknown): true | undefined => value === true || value === "true" || undefined;
/** One of some words; what is not of them is left out of the address. */
const oneOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value);

const MARKED = /^[0-9a-f]{32}(?:,[0-9a-f]{32})?$/;
function positive(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

export const runsSearch = (search: Readonly<Record<string, unknown>>): RunsSearch => ({
  filter: text(search["filter"]),
  order: oneOf(search["order"], ORDERS),
  after: text(search["after"]),
  marked: MARKED.test(String(search["marked"])) ? String(search["marked"]) : undefined,
});

export const errorsSearch = (search: Readonly<Record<string, unknown>>): ErrorsSearch => ({
  filter: text(search["filter"]),
  since: text(search["since"]),
  only: oneOf(search["only"], ["new"] as const),
});

export const testsSearch = (search: Readonly<Record<string, unknown>>): TestsSearch => ({
  only: oneOf(search["only"], ["failed"] as const),
  test: text(search["test"]),
});

export const workbenchSearch = (search: Readonly<Record<string, unknown>>): WorkbenchSearch => ({
  replay: /^[0-9a-f]{16}$/.test(String(search["replay"])) ? String(search["replay"]) : undefined,
  tools: text(search["tools"]),
});

export const settingsSearch = (search: Readonly<Record<string, unknown>>): SettingsSearch => ({
  short: text(search["short"]),
  sample: text(search["sample"]),
  share: /^\d*\.?\d+$/.test(String(search["share"])) ? Number(search["share"]) : undefined,
});

export const diffSearch = (search: Readonly<Record<string, unknown>>): DiffSearch => ({
  row: positive(search["row"]),
  all: isTrue(search["all"]),
});

export function runSearch(search: Readonly<Record<string, unknown>>): RunSearch {
  const { step } = search;
  const id = typeof step === "string" && /^[0-9a-f]{16}$/.test(step) ? step : undefined;
  return {
    tab: oneOf(search["tab"], TABS),
    step: id ?? positive(step),
    as: oneOf(search["as"], ["table"] as const),
    find: text(search["find"])?.slice(0, 200),
    fold: isTrue(search["fold"]),
  };
}
