import { badFilter } from "./bad-filter.ts";

export interface FilterValue {
  readonly text: string;
  /** what stands before a `*` */
  readonly prefix: boolean;
}
export type Token = { readonly at: number } & (
  | { readonly is: "open" }
  | { readonly is: "close" }
  | { readonly is: "minus" }
  | { readonly is: "bare"; readonly text: string }
  | { readonly is: "quoted"; readonly text: string }
  | { readonly is: "term"; readonly field: string; readonly op: string; readonly values: readonly FilterValue[] }
);

const FIELD = /([A-Za-z][A-Za-z-]*)(:|=|!=|<=|>=|<|>)/y;
const BARE = /[^\s"(),]+/y;

/** Throws `BAD_FILTER`. In quotes, a backslash stands before a quote or a backslash that is meant. */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(expression);
    if (found) at = pattern.lastIndex;
    return found;
  };

  function value(start: number): FilterValue {
    if (expression[at] === '"') {
      const text = quoted();
      const prefix = expression[at] === "*";
      if (prefix) at++;
      return { text, prefix };
    }
    const found = take(BARE);
    if (!found) throw badFilter("a value is missing", start);
    const prefix = found[0].endsWith("*");
    return { text: prefix ? found[0].slice(0, -1) : found[0], prefix };
  }
  function quoted(): string {
    const start = at++;
    let text = "";
    for (; at < expression.length; at++) {
      const character = expression[at]!;
      if (character === '"') {
        at++;
        return text;
      }
      if (character === "\\" && at + 1 < expression.length) text += expression[++at];
      else text += character;
    }
    throw badFilter("a quote is not closed", start);
  }

  while (at < expression.length) {
    const start = at;
    const character = expression[at]!;
    if (/\s/.test(character)) at++;
    else if (character === "(" || character === ")") {
      tokens.push({ at: at++, is: character === "(" ? "open" : "close" });
    } else if (character === "-") tokens.push({ at: at++, is: "minus" });
    else if (character === '"') tokens.push({ at: start, is: "quoted", text: quoted() });
    else if (character === ",") throw badFilter("a comma stands between the values of a field only", at);
    else {
      const field = take(FIELD);
      if (!field) {
        tokens.push({ at: start, is: "bare", text: take(BARE)![0] });
        continue;
      }
      const values = [value(start)];
      while (expression[at] === ",") {
        at++;
        values.push(value(start));
      }
      tokens.push({ at: start, is: "term", field: field[1]!, op: field[2]!, values });
    }
  }
  return tokens;
}
