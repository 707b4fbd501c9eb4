import type { RunQuery } from "../catalog.ts";
import type { Filter } from "../filter.ts";
import { comparable, LIST_OF } from "../row-fields.ts";
import { keyText } from "./postgres-key.ts";
import { monthsOf } from "./postgres-month.ts";
import type { SqlValue } from "./postgres-pool.ts";
import { phraseOf } from "./postgres-words.ts";

/** A part of a statement, with one `?` for each of its values. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The statement as the server takes it: `$1`, `$2`, … No text of a statement has another question mark. */
export function numbered({ text, values }: Sql): [text: string, values: readonly SqlValue[]] {
  let n = 0;
  return [text.replaceAll("?", () => `$${++n}`), values];
}

/** A condition on `r`, a row of `runs`. Field names come from closed lists, and values are bound. */
export function whereOf({ tenant, filter }: RunQuery): Sql {
  const parts = [conditionOf(filter, false)];
  if (tenant !== undefined) parts.push({ text: "r.tenant = ?", values: [comparable(tenant)] });
  const months = monthsOf(filter);
  // implied by the filter; the server leaves out the other partitions
  if (months !== null)
    parts.push({ text: "(r.month = 0 OR r.month BETWEEN ? AND ?)", values: [months.from, months.to] });
  return joined(parts, " AND ", "true");
}

/** `exact`: where nothing is known it must be false, not NULL: below a NOT. */
function conditionOf(filter: Filter, exact: boolean): Sql {
  const known = (text: string) => (exact ? `coalesce(${text}, false)` : text);
  switch (filter.is) {
    case "all":
      return joined(
        filter.of.map((each) => conditionOf(each, exact)),
        " AND ",
        "true",
      );
    case "any":
      return joined(
        filter.of.map((each) => conditionOf(each, exact)),
        " OR ",
        "false",
      );
    case "not": {
      const inner = conditionOf(filter.of, true);
      return { text: `NOT (${inner.text})`, values: inner.values };
    }
    case "one-of": {
      const values = [filter.values.map(keyText)];
      const isList = filter.field in LIST_OF;
      return {
        text: isList ? `r."${filter.field}" && ?::text[]` : known(`r."${filter.field}" = ANY (?::text[])`),
        values,
      };
    }
    case "starts": {
      const prefix = comparable(filter.prefix);
      // no text that is stored has this character
      const values = [prefix, `${prefix}\u{10ffff}`];
      const text =
        filter.field in LIST_OF
          ? `EXISTS (SELECT FROM unnest(r."${filter.field}") v WHERE v BETWEEN ? AND ?)`
          : known(`r."${filter.field}" BETWEEN ? AND ?`);
      return { text, values };
    }
    case "number":
      return { text: known(`r."${filter.field}" ${filter.op} ?::float8`), values: [filter.value] };
    case "complete":
      return { text: "r.complete = ?", values: [filter.value] };
    case "words": {
      const phrase = phraseOf(filter.text);
      if (phrase === null) return { text: "false", values: [] };
      const has = { text: known("r.words @@ ?::text::tsquery"), values: [phrase.query] };
      if (phrase.isWord) return has;
      return joined([has, { text: known("strpos(r.word_text, ?) > 0"), values: [phrase.words] }], " AND ", "true");
    }
  }
}

function joined(parts: readonly Sql[], by: string, none: string): Sql {
  if (parts.length === 0) return { text: none, values: [] };
  return { text: parts.map(({ text }) => `(${text})`).join(by), values: parts.flatMap(({ values }) => values) };
}
