import type { Filter, ListField, NumberField, TextField } from "../catalog/filter.ts";
import { FILTER_FIELDS } from "./filter-fields.ts";

const TYPED = new Map<TextField | ListField | NumberField, string>(
  Object.entries(FILTER_FIELDS).flatMap(([typed, field]) => (field.kind === "complete" ? [] : [[field.name, typed]])),
);
const typed = (name: TextField | ListField | NumberField) => TYPED.get(name) ?? name;
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
const NOTHING = "-run:*";

/** The expression that `parseFilter` reads as this filter; times are absolute. */
export function formatFilter(filter: Filter): string {
  switch (filter.is) {
    case "all":
      return filter.of.length === 0 ? "run:*" : `(${filter.of.map(formatFilter).join(" ")})`;
    case "any":
      return filter.of.length === 0 ? NOTHING : `(${filter.of.map(formatFilter).join(" or ")})`;
    case "not":
      return `-${formatFilter(filter.of)}`;
    case "one-of":
      return filter.values.length === 0 ? NOTHING : `${typed(filter.field)}:${filter.values.map(quoted).join(",")}`;
    case "starts":
      return `${typed(filter.field)}:${quoted(filter.prefix)}*`;
    case "number":
      return `${typed(filter.field)}${filter.op}${filter.value}`;
    case "complete":
      return `complete:${filter.value ? "yes" : "no"}`;
    case "words":
      return /[\p{L}\p{N}\p{Co}]/u.test(filter.text) ? quoted(filter.text) : NOTHING;
  }
}
