import type { Area } from "../area.ts";
import { isPlaceholder } from "./placeholder.ts";

const OPEN = /[ \t]{0,3}(?:\\?["'`])?/y;
const PAIR = /([ \t]{0,3}[\w!#$%&*+.^|~-]{1,128}(?:=(?:\\?")?|(?=;)))([^;\s"'`\\<>]{0,4096})(?:\\?")?(;?)/y;

/** `a=…; b=…` at `start`: each value is a hit, but what is too short for a secret; false if no pair stands there. */
export function cookies(text: string, start: number, area: Area, onlyFirst: boolean): boolean {
  OPEN.lastIndex = start;
  OPEN.test(text);
  let isFound = false;
  for (let at = OPEN.lastIndex; ; at = PAIR.lastIndex) {
    PAIR.lastIndex = at;
    const [, name = "", value = "", more] = PAIR.exec(text) ?? [];
    const begin = at + name.length;
    const end = begin + value.length;
    if (name === "" || end > area.to) break;
    isFound ||= value !== "";
    area.valueTo = end;
    if ((value.length >= 8 || (value.length >= 4 && /\d/.test(value))) && !isPlaceholder(value))
      area.hits.push({ start: begin, end, type: "AUTH", rule: "auth.assignment" });
    if (onlyFirst || more !== ";") break;
  }
  return isFound;
}
