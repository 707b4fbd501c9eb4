import { badFilter } from "./bad-filter.ts";
import { type Comparison, EVERYTHING, type Filter } from "../catalog/filter.ts";
import { wordsOf } from "../catalog/words.ts";
import { parseDuration } from "../duration.ts";
import { fieldNamed } from "./filter-fields.ts";
import { type Token, tokensOf } from "./filter-tokens.ts";

const DEEPEST = 32;
const MOST_TERMS = 200;

/**
 * A filter expression:
 *
 *     expression = all *( "or" all )
 *     all        = one *( ["and"] one )
 *     one        = ["not" / "-"] ( "(" expression ")" / term )
 *     term       = field ( ":" / "=" / "!=" / "<" / "<=" / ">" / ">=" ) value *( "," value )  /  text
 *
 * `field:value` is equality, `field:val*` (or `field:"v al"*`) a beginning, `field:*` "has one". Text, bare or in quotes, is searched for as
 * whole words, quoted text as a phrase. Throws `CatalogError` with `BAD_FILTER` that names the place. `now` is what
 * relative times (`started>-2h`) count from, in milliseconds.
 */
export function parseFilter(expression: string, now: number = Date.now()): Filter {
  const tokens = tokensOf(expression);
  if (tokens.length > MOST_TERMS * 4) throw badFilter("the filter is too long", 0);
  let at = 0;
  const peek = () => tokens[at];
  const isWord = (token: Token | undefined, text: string) => token?.is === "bare" && token.text.toLowerCase() === text;

  function any(depth: number): Filter {
    if (depth > DEEPEST) throw badFilter("the filter is nested too deep", peek()?.at ?? 0);
    const of = [all(depth)];
    while (isWord(peek(), "or")) {
      at++;
      of.push(all(depth));
    }
    return of.length === 1 ? of[0]! : { is: "any", of };
  }
  function all(depth: number): Filter {
    const of: Filter[] = [];
    for (let token = peek(); token && token.is !== "close" && !isWord(token, "or"); token = peek()) {
      if (isWord(token, "and") && of.length > 0) at++;
      of.push(one(depth));
    }
    if (of.length === 0) throw badFilter("a term is missing", peek()?.at ?? expression.length);
    return of.length === 1 ? of[0]! : { is: "all", of };
  }
  function one(depth: number): Filter {
    if (depth > DEEPEST) throw badFilter("the filter is nested too deep", peek()?.at ?? 0);
    const token = tokens[at++];
    if (!token) throw badFilter("a term is missing", expression.length);
    if (token.is === "minus") return { is: "not", of: one(depth + 1) };
    if (isWord(token, "not")) return { is: "not", of: one(depth + 1) };
    if (token.is === "open") {
      const inner = any(depth + 1);
      if (tokens[at++]?.is !== "close") throw badFilter("a bracket is not closed", token.at);
      return inner;
    }
    if (token.is === "close") throw badFilter("a bracket was never opened", token.at);
    if (token.is === "term") return term(token, now);
    if (wordsOf(token.text).length === 0) throw badFilter("there is no word to search for", token.at);
    return { is: "words", text: token.text };
  }

  if (tokens.length === 0) return EVERYTHING;
  const filter = any(0);
  if (at < tokens.length) throw badFilter("a bracket was never opened", tokens[at]!.at);
  return filter;
}

function term(token: Extract<Token, { is: "term" }>, now: number): Filter {
  const field = fieldNamed(token.field);
  if (!field) throw badFilter(`there is no field ${token.field}`, token.at);
  const filters = token.values.map((value): Filter => {
    if (field.kind === "complete") return { is: "complete", value: yesOrNo(value.text, token.at) };
    // an unknown number fits no comparison
    if (field.kind !== "text" && value.prefix && value.text === "" && comparison(token) === "=")
      return { is: "number", field: field.name, op: ">=", value: -Number.MAX_VALUE };
    if (field.kind !== "text") {
      return {
        is: "number",
        field: field.name,
        op: comparison(token),
        value: numberOf(value.text, field.kind, now, token.at),
      };
    }
    if (!["=", ":", "!="].includes(token.op))
      throw badFilter(`${token.field} holds text, which ${token.op} cannot compare`, token.at);
    if (value.prefix) return { is: "starts", field: field.name, prefix: value.text };
    return { is: "one-of", field: field.name, values: [value.text] };
  });
  const filter: Filter = filters.length === 1 ? filters[0]! : { is: "any", of: filters };
  return token.op === "!=" ? { is: "not", of: filter } : filter;
}

function comparison({ op }: { op: string }): Comparison {
  return op === ":" || op === "!=" ? "=" : (op as Comparison);
}

function yesOrNo(text: string, at: number): boolean {
  if (/^(yes|true|1)$/i.test(text)) return true;
  if (/^(no|false|0)$/i.test(text)) return false;
  throw badFilter("complete is yes or no", at);
}

function numberOf(text: string, kind: "number" | "duration" | "time", now: number, at: number): number {
  const ms = kind === "number" ? null : parseDuration(text.replace(/^-/, ""));
  if (kind === "time") {
    const epoch = /^[0-9]{6,}$/.test(text) ? Number(text) : Date.parse(text);
    const time = ms === null ? epoch : now - ms;
    if (!Number.isNaN(time)) return time;
    throw badFilter(`${text} is no time: 2026-11-20T16:00, or -2h for two hours ago`, at);
  }
  const number = ms ?? (text.trim() === "" ? Number.NaN : Number(text));
  if (Number.isFinite(number)) return number;
  throw badFilter(`${text} is no ${kind === "duration" ? "duration: 250ms, 5s, 10m" : "number"}`, at);
}
