import { expect, test } from "vitest";
import { completionsOf, unfinishedAt } from "./filter-completion.ts";

const VALUES = [
  { value: "failed", runs: 2 },
  { value: "my agent", runs: 1 },
];
/** The completions at a `|`. */
function inserts(marked: string): readonly string[] | null {
  const unfinished = unfinishedAt(marked.replace("|", ""), marked.indexOf("|"));
  return unfinished && completionsOf(unfinished, VALUES).map(({ insert }) => insert);
}

test.each([
  ["sta|", ["status:", "state:", "started>"]],
  ["(a or -mod|)", ["model:"]],
  ["duration|", ["duration>", "duration<", "duration:"]],
  ["status|", ["status:", "status!="]],
  ["status:|", ["failed", '"my agent"']],
  ["tool:x STATUS!=FA|", ["failed"]],
  ["status:ok,f|", ["failed"]],
  ['agent:"my a|', ['"my agent"']],
  ["status:failed|", ['"my agent"'].slice(1)],
  ["complete:|", ["yes", "no"]],
  ["duration>1|", ["failed"].slice(1)],
  ['"sta|', null],
  ["sta|tus:ok", null],
  ["nothing|", []],
])("%s", (marked, expected) => {
  expect(inserts(marked)).toEqual(expected);
});
