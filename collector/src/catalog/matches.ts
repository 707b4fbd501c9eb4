import type { Comparison, Filter, ListField, NumberField, TextField } from "./filter.ts";
import { comparable, LIST_OF, NUMBER_OF, TEXT_OF } from "./row-fields.ts";
import type { RunRow } from "./run-row.ts";
import { wordsOf } from "./words.ts";

/** Whether a row with its text fits. The meaning of every filter; drivers are tested against it. */
export function matches(filter: Filter, row: RunRow, text: string): boolean {
  switch (filter.is) {
    case "all":
      return filter.of.every((each) => matches(each, row, text));
    case "any":
      return filter.of.some((each) => matches(each, row, text));
    case "not":
      return !matches(filter.of, row, text);
    case "one-of": {
      const wanted = filter.values.map(comparable);
      return valuesOf(row, filter.field).some((value) => wanted.includes(value));
    }
    case "starts": {
      const prefix = comparable(filter.prefix);
      return valuesOf(row, filter.field).some((value) => value.startsWith(prefix));
    }
    case "number":
      return compare(numberOf(row, filter.field), filter.op, filter.value);
    case "complete":
      return row.complete === filter.value;
    case "words":
      return hasPhrase(wordsOf(comparable(text)), wordsOf(comparable(filter.text)));
  }
}

const numberOf = (row: RunRow, field: NumberField) => NUMBER_OF[field](row);

function valuesOf(row: RunRow, field: TextField | ListField): string[] {
  if (field in LIST_OF) return LIST_OF[field as ListField](row).map(comparable);
  const value = TEXT_OF[field as TextField](row);
  return value === null ? [] : [comparable(value)];
}

function compare(value: number | null, op: Comparison, with_: number): boolean {
  if (value === null) return false;
  switch (op) {
    case "<":
      return value < with_;
    case "<=":
      return value <= with_;
    case "=":
      return value === with_;
    case ">=":
      return value >= with_;
    case ">":
      return value > with_;
  }
}

/** A phrase without a word is nowhere. */
function hasPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  if (phrase.length === 0) return false;
  return words.some((_, at) => phrase.every((word, ahead) => words[at + ahead] === word));
}
