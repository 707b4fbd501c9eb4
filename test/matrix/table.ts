import type { TriedCell } from "./cells.ts";
import { CASES, type Subject } from "./subjects.ts";

/** One table a kind: a row for each subject, a column for each case; below, why a case is missing. */
export function table(subjects: readonly Subject[], tried: readonly TriedCell[]): string {
  return (["provider", "framework"] as const)
    .map((kind) => tableOf(kind, subjects, tried))
    .filter((text) => text !== "")
    .join("\n\n");
}

function tableOf(kind: Subject["kind"], subjects: readonly Subject[], tried: readonly TriedCell[]): string {
  const rows = subjects.filter((subject) => subject.kind === kind && tried.some((cell) => cell.subject === subject));
  if (rows.length === 0) return "";
  const lines = [`| ${kind} | ${CASES[kind].join(" | ")} |`, `|---|${CASES[kind].map(() => "---").join("|")}|`];
  const notes: string[] = [];
  for (const subject of rows) {
    const cell = (which: string): string => {
      if (which in subject.cannot) return "–";
      const found = tried.find((each) => each.subject === subject && each.which === which);
      return found === undefined ? "" : found.problem === null ? "✓" : "✗";
    };
    lines.push(`| ${subject.name} | ${CASES[kind].map(cell).join(" | ")} |`);
    notes.push(...Object.entries(subject.cannot).map(([which, why]) => `- ${subject.name}, ${which}: ${why}`));
  }
  return [...lines, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}
