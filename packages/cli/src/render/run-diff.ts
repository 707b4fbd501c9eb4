import { diffWords } from "diff";
import { count, type DiffRow, dollars, duration, oneLine, type RunDiff, type RunRow, safe } from "@reenact/view";
import type { Paint } from "./painter.ts";
import { shortIds } from "./short-ids.ts";

const MARKS: Readonly<Record<DiffRow["status"], readonly [Parameters<Paint>[0], string]>> = {
  same: ["dim", "="],
  changed: ["yellow", "~"],
  moved: ["yellow", ">"],
  added: ["green", "+"],
  removed: ["red", "-"],
};
const WIDTH = 160;
/** Longer texts are not compared word by word. */
const MOST_WORDS = 20_000;

/** Two runs for people: the first difference, the steps, and what differs of the runs as a whole. */
export function printDiff(diff: RunDiff, { all, paint }: { all: boolean; paint: Paint }): string {
  const { before, after, rows, summary } = diff;
  const short = shortIds([before.run, after.run]);
  const shown = rows.filter(({ status }) => all || status !== "same");
  const same = rows.length - shown.length;
  return [
    `${short(before.run)} ${safe(before.name)} → ${short(after.run)} ${safe(after.name)}`,
    summary === null ? "no step differs" : `first difference: ${safe(summary)}`,
    ...shown.flatMap((row) => rowLines(row, paint)),
    ...(same > 0 ? [paint("dim", `${count(same, "step")} the same`)] : []),
    ...totals(before, after),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function rowLines({ status, before, after, kind, name, changes }: DiffRow, paint: Paint): string[] {
  const [colour, mark] = MARKS[status];
  const numbers = before === after ? `${before}` : `${before ?? "–"} → ${after ?? "–"}`;
  return [
    `${paint(colour, mark)} ${numbers}  ${safe(kind)} ${safe(name)}`,
    ...changes.map(
      ({ part, pointer, before: was, after: is }) =>
        `    ${part}${pointer === "" ? "" : ` at ${safe(pointer)}`}: ${valueChange(was, is, paint)}`,
    ),
  ];
}

/** A changed value, of a text word by word. */
export function valueChange(before: unknown, after: unknown, paint: Paint): string {
  if (typeof before !== "string" || typeof after !== "string" || before.length + after.length > MOST_WORDS)
    return `${valueText(before)} → ${valueText(after)}`;
  const parts = diffWords(before, after).map(({ value, added, removed }) => {
    const text = safe(value).replaceAll("\n", "⏎");
    if (added) return paint("green", `{+${text}+}`);
    if (removed) return paint("red", `[-${text}-]`);
    return text.length > 60 ? `${text.slice(0, 28)} … ${text.slice(-28)}` : text;
  });
  return parts.join("");
}

const valueText = (value: unknown): string =>
  value === undefined || value === null ? "nothing" : oneLine(JSON.stringify(value) ?? "", WIDTH);

/** What differs of the runs as a whole; nothing that is equal. */
function totals(before: RunRow, after: RunRow): string[] {
  const facts: [name: string, was: string, is: string][] = [
    ["status", before.status, after.status],
    ["error", before.error ?? "none", after.error ?? "none"],
    ["steps", String(before.steps), String(after.steps)],
    ["tokens", String(before.tokens), String(after.tokens)],
    ["cost", price(before.cost), price(after.cost)],
    ["duration", time(before.durationMs), time(after.durationMs)],
  ];
  const other = facts.filter(([, was, is]) => was !== is);
  return other.map(([name, was, is]) => `${name}: ${oneLine(was, WIDTH)} → ${oneLine(is, WIDTH)}`);
}

const price = (cost: number | null): string => (cost === null ? "not known" : dollars(cost));
const time = (ms: number | null): string => (ms === null ? "not ended" : duration(ms));
