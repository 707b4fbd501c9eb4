import type { Answer } from "./answer.ts";
import type { Ask } from "./ask.ts";
import { asJson, asList, type Json } from "./json.ts";

/** The first of the answer's texts. */
export function textOf({ text = "" }: Answer): string {
  return typeof text === "string" ? text : (text[0] ?? "");
}

/** Counts of tokens, from the sizes of request and answer. */
export function tokens(ask: Ask, answer: Answer): { input: number; output: number } {
  return {
    input: Math.ceil(ask.raw.length / 4),
    output: Math.ceil(JSON.stringify([answer.text, answer.calls]).length / 4),
  };
}

/** Lists that the parts of the request's content hold under one name. */
export function partsNamed(parts: unknown, name: string): Json[] {
  return asList(parts)
    .map(asJson)
    .filter((part) => part[name] !== undefined)
    .map((part) => asJson(part[name]));
}
