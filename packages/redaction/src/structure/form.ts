import type { Change } from "../scrub/change.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import { type Nesting, TOP } from "../scrub/nesting.ts";
import { isSecretParameter } from "../names/secret-name.ts";
import { belowField } from "./field-path.ts";
import { decodePercent, encodedChanges } from "./percent.ts";

/** Changes in the pairs of a form body or a query string: `name=value&name=value` in `text[begin, to)`. */
export function pairsChanges(
  text: string,
  begin: number,
  to: number,
  context: ScanContext,
  nest: Nesting = TOP,
): Change[] {
  const out: Change[] = [];
  for (let start = begin; start < to;) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand === -1 || ampersand > to ? to : ampersand;
    const equals = text.indexOf("=", start);
    const hasName = equals !== -1 && equals < end;
    const raw = hasName ? text.slice(start, equals) : "";
    const name = decodePercent(raw, true) ?? raw;
    if (hasName) out.push(...encodedChanges(text, start, equals, "", true, context, TOP));
    const from = hasName ? equals + 1 : start;
    const key = isSecretParameter(name, text.slice(from, end)) ? "access_signature" : name;
    out.push(...encodedChanges(text, from, end, key, true, context, belowField(nest, name, context)));
    start = end + 1;
  }
  return out;
}
