/** Conditions on the start of a run, as the filter language writes them. */
const STARTED = /(^|\s)started(?:<=|>=|<|>)\S+/g;

/** The expression with the start of the runs in a range in place of other conditions on it, milliseconds since the epoch. */
export const withRange = (filter: string, from: number, to: number): string =>
  [withoutRange(filter), `started>=${timeOf(from)}`, `started<${timeOf(to)}`].filter((each) => each !== "").join(" ");

/** The expression without conditions on the start of a run. */
export const withoutRange = (filter: string): string => filter.replace(STARTED, "").trim();

export const hasRange = (filter: string): boolean => filter.search(STARTED) !== -1;

const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
