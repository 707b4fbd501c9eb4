import { ATTR } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { redactedLine } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import type { ProjectScrubber } from "./project-scrubber.ts";

/** Attributes whose text has a content type of its own, named by another attribute. */
const MIME_OF: Readonly<Record<string, string>> = {
  [ATTR.inputValue]: "input.mime_type",
  [ATTR.outputValue]: "output.mime_type",
};
const OURS: ReadonlySet<string> = new Set([ATTR.record, ATTR.root]);

/** Throws where a run holds values that the rules of now find: it was recorded with other ones, or by another tool. */
export function refuseStrayValues(run: Envelope, scrubber: ProjectScrubber, reference: string): void {
  const counts: Record<string, number> = {};
  for (const { span } of run.spans) {
    const texts: [text: string, key: string, mime?: string][] = [
      [span.name, ""],
      [span.status.message, ""],
    ];
    for (const [key, value] of Object.entries(span.attributes)) {
      const mime = span.attributes[MIME_OF[key] ?? ""];
      for (const text of Array.isArray(value) ? value : [value])
        if (typeof text === "string")
          texts.push(OURS.has(key) ? [withoutJournal(text), "", "application/json"] : [text, key, textOr(mime)]);
    }
    for (const [text, key, mime] of texts)
      for (const { type } of scrubber.inspect(text, { key, mime }).hits) counts[type] = (counts[type] ?? 0) + 1;
  }
  if (Object.keys(counts).length === 0) return;
  throw new CliError(
    "REEN-STRAY-VALUES",
    `run ${reference} holds what would now be redacted (${redactedLine(counts)}); nothing was written`,
    `record it again, or reenact export ${reference} --as-is`,
  );
}

const textOr = (value: unknown): string => (typeof value === "string" ? value : "");

/** The journal is numbers and labels of ours, in which a rule may see what is not there. */
function withoutJournal(text: string): string {
  try {
    const { journal: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch {
    return text;
  }
}
