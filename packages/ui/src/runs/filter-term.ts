/** A text in the quotes of the filter language. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** The condition that a field has a value, as the filter language writes it. */
export const termOf = (field: string, value: string): string =>
  `${field}:${/^[\w.-]+$/.test(value) ? value : quoted(value)}`;

/** Whether an expression has a condition as one of its words. */
export function hasTerm(filter: string, term: string): boolean {
  return placeOf(filter, term) !== -1;
}

/** The expression with a condition added, or without it where it is there. */
export function toggleTerm(filter: string, term: string): string | undefined {
  const at = placeOf(filter, term);
  const next =
    at === -1 ? `${filter.trim()} ${term}` : `${filter.slice(0, at).trim()} ${filter.slice(at + term.length).trim()}`;
  return next.trim() === "" ? undefined : next.trim();
}

/** Position of a condition between blanks, or the ends, of an expression. */
const placeOf = (filter: string, term: string): number => ` ${filter} `.indexOf(` ${term} `);
