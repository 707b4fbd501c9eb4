import { readFileSync, writeFileSync } from "node:fs";
import { CLASSES } from "./edit.ts";
import type { Judgement } from "./judge.ts";

/** The table of all edits by class, as Markdown. */
export function table(judgements: readonly Judgement[]): string {
  const edits = judgements.filter((j) => j.class !== null);
  const controls = judgements.filter((j) => j.class === null);
  const rows = CLASSES.map((name) => [name, edits.filter((j) => j.class === name)] as const);
  const line = (name: string, of: readonly Judgement[]): string => {
    const count = (test: (j: Judgement) => boolean): number => of.filter(test).length;
    const counts = [of.length, count((j) => j.found), count((j) => j.rightStep), count((j) => j.rightClass)];
    return `| ${name} | ${[...counts, count((j) => j.nextRuns)].join(" | ")} |`;
  };
  const alarms = controls.filter((j) => !j.found).length;
  return [
    "| class of edits | edits | found | right step | right class | next command runs |",
    "|---|---:|---:|---:|---:|---:|",
    ...rows.filter(([, of]) => of.length > 0).map(([name, of]) => line(name, of)),
    line("**all**", edits),
    "",
    `${controls.length} controls, which change nothing: ${alarms === 0 ? "no" : alarms} alarm${alarms === 1 ? "" : "s"}.`,
  ].join("\n");
}

/** Puts a text between the markers of that name in a file. */
export function writeTable(file: string, name: string, text: string): void {
  const [from, to] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const whole = readFileSync(file, "utf8");
  const [begin, end] = [whole.indexOf(from), whole.indexOf(to)];
  if (begin < 0 || end < begin) throw new Error(`${file} lacks the markers ${from} and ${to}`);
  writeFileSync(file, `${whole.slice(0, begin + from.length)}\n${text}\n${whole.slice(end)}`);
}
