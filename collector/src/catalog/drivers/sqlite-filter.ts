import type { Filter, ListField } from "../filter.ts";
import { comparable, LIST_OF } from "../row-fields.ts";
import { wordsOf } from "../words.ts";

export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/**
 * A condition on `r`, a row of `runs`. Field names come from closed lists, values are bound. NULL stands for false, which
 * is as good for WHERE and lets an index serve; below a NOT it must be false itself (`exact`).
 */
export function sqlOf(filter: Filter, exact = false): Sql {
  switch (filter.is) {
    case "all":
      return joined(filter.of, " AND ", "1", exact);
    case "any":
      return joined(filter.of, " OR ", "0", exact);
    case "not": {
      const inner = sqlOf(filter.of, true);
      return { text: `NOT (${inner.text})`, values: inner.values };
    }
    case "one-of": {
      const marks = filter.values.map(() => "?").join(", ");
      return field(filter.field, `IN (${marks})`, filter.values.map(comparable), exact);
    }
    case "starts": {
      const prefix = comparable(filter.prefix);
      return field(filter.field, "BETWEEN ? AND ? || char(1114111)", [prefix, prefix], exact);
    }
    case "number":
      return { text: known(`r.${filter.field} ${filter.op} ?`, exact), values: [filter.value] };
    case "complete":
      return { text: "r.complete = ?", values: [filter.value ? 1 : 0] };
    case "words": {
      const words = wordsOf(comparable(filter.text));
      if (words.length === 0) return { text: "0", values: [] };
      const phrase = `"${words.join(" ")}"`;
      return { text: "r.id IN (SELECT rowid FROM run_text WHERE run_text MATCH ?)", values: [phrase] };
    }
  }
}

function joined(filters: readonly Filter[], by: string, none: string, exact: boolean): Sql {
  if (filters.length === 0) return { text: none, values: [] };
  const parts = filters.map((each) => sqlOf(each, exact));
  return { text: parts.map(({ text }) => `(${text})`).join(by), values: parts.flatMap(({ values }) => values) };
}

function field(name: string, condition: string, values: readonly string[], exact: boolean): Sql {
  if (name in LIST_OF) {
    const text = `r.id IN (SELECT id FROM run_values WHERE field = ? AND value ${condition})`;
    return { text, values: [name satisfies string as ListField, ...values] };
  }
  return { text: known(`r.${name} ${condition}`, exact), values };
}

const known = (condition: string, exact: boolean) => (exact ? `coalesce(${condition}, 0)` : condition);
