import type { Filter } from "../filter.ts";
import { comparable, LIST_OF } from "../row-fields.ts";
import { wordsOf } from "../words.ts";

export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

interface SqlOptions {
  /** where nothing is known it must be false, not NULL: below a NOT */
  readonly exact?: boolean;
  /** The phrase is in so many runs that they are not to be looked up one by one: an order or another condition leads to the rows. */
  readonly isCommon?: (phrase: string) => boolean;
}

/**
 * A condition on `r`, a row of `runs`. Field names come from closed lists, values are bound. NULL stands for false, which
 * is as good for WHERE and lets an index serve.
 */
export function sqlOf(filter: Filter, options: SqlOptions = {}): Sql {
  switch (filter.is) {
    case "all":
      return joined(filter.of, " AND ", "1", options);
    case "any":
      return joined(filter.of, " OR ", "0", options);
    case "not": {
      const inner = sqlOf(filter.of, { ...options, exact: true });
      return { text: `NOT (${inner.text})`, values: inner.values };
    }
    case "one-of": {
      const marks = filter.values.map(() => "?").join(", ");
      return field(filter.field, `IN (${marks})`, filter.values.map(comparable), options);
    }
    case "starts": {
      const prefix = comparable(filter.prefix);
      return field(filter.field, "BETWEEN ? AND ? || char(1114111)", [prefix, prefix], options);
    }
    case "number":
      return { text: known(`r.${filter.field} ${filter.op} ?`, options), values: [filter.value] };
    case "complete":
      return { text: "r.complete = ?", values: [filter.value ? 1 : 0] };
    case "words": {
      const phrase = phraseOf(filter.text);
      if (phrase === null) return { text: "0", values: [] };
      // with a sign before it SQLite uses no index for the column
      const id = options.isCommon?.(phrase) === true ? "+r.id" : "r.id";
      return { text: `${id} IN (SELECT rowid FROM run_text WHERE run_text MATCH ?)`, values: [phrase] };
    }
  }
}

/** As FTS5 takes it; null: there is no word in the text. */
export function phraseOf(text: string): string | null {
  const words = wordsOf(comparable(text));
  return words.length === 0 ? null : `"${words.join(" ")}"`;
}

function joined(filters: readonly Filter[], by: string, none: string, options: SqlOptions): Sql {
  if (filters.length === 0) return { text: none, values: [] };
  const parts = filters.map((each) => sqlOf(each, options));
  return { text: parts.map(({ text }) => `(${text})`).join(by), values: parts.flatMap(({ values }) => values) };
}

function field(name: string, condition: string, values: readonly string[], options: SqlOptions): Sql {
  if (name in LIST_OF) {
    const text = `r.id IN (SELECT id FROM run_values WHERE field = ? AND value ${condition})`;
    return { text, values: [name satisfies string, ...values] };
  }
  return { text: known(`r.${name} ${condition}`, options), values };
}

const known = (condition: string, { exact = false }: SqlOptions) => (exact ? `coalesce(${condition}, 0)` : condition);
