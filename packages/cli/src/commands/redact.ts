import { Command } from "commander";
import { ruleReason } from "@reenact/node";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { oneLine, redactedLine } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { type ProjectScrubber, projectScrubber } from "../redact/project-scrubber.ts";

interface Options extends BaseOptions {
  json?: boolean;
  jsonl?: boolean;
  mime?: string;
  config?: string;
  showValues?: boolean;
  explain?: boolean;
}

type Hint = Parameters<ProjectScrubber["inspect"]>[1];

const MIME_BY_END: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".ndjson": "application/x-ndjson",
  ".sse": "text/event-stream",
};

export function redactCommand(): Command {
  const test = baseCommand("test", "show what would be replaced in a text, and by which rule", [
    "reenact redact test prompt.txt",
    "reenact redact test body.json --explain",
    "reenact redact test body.json --json",
    "reenact redact test - --jsonl < texts.jsonl",
  ])
    .argument("<file>", "file to look through, - for standard input; nothing is written")
    .option("--json", "machine-readable")
    .option("--jsonl", 'one {"text"} per line in, one answer per line out')
    .option("--mime <type>", "content type of the text; default: by the file's name, else plain text")
    .option("--config <file>", "configuration file with the redaction policy")
    .option("--explain", "also say of each value where it stands in the text, and why it was found")
    .option("--show-values", "print the values too")
    .action((file: string, options: Options) => {
      const scrubber = projectScrubber(options);
      const text = read(file);
      if (options.jsonl === true) return answerLines(text, scrubber, options);
      const mime = options.mime ?? (MIME_BY_END[extname(file).toLowerCase()] || "text/plain");
      if (options.json === true) process.stdout.write(answer(text, { mime }, scrubber, options));
      else printTable(text, { mime }, scrubber, options);
    });
  return new Command("redact").description("check the redaction of this project").addCommand(test);
}

function answer(text: string, hint: Hint, scrubber: ProjectScrubber, { explain }: Options): string {
  const found = explain === true ? explained(text, hint, scrubber) : scrubber.inspect(text, hint);
  return `${JSON.stringify({ schemaVersion: 1, ...found })}\n`;
}

function answerLines(input: string, scrubber: ProjectScrubber, options: Options): void {
  let number = 0;
  for (const line of input.split("\n")) {
    number++;
    if (line.trim() === "") continue;
    const { text, mime, key } = lineOf(line, number);
    process.stdout.write(answer(text, { mime: mime ?? options.mime, key }, scrubber, options));
  }
}

function lineOf(line: string, number: number): { text: string; mime?: string; key?: string } {
  try {
    const value = JSON.parse(line) as { text?: unknown; mime?: string; key?: string };
    if (typeof value === "object" && value !== null && typeof value.text === "string")
      return value as ReturnType<typeof lineOf>;
  } catch {
    // said below
  }
  throw new CliError("REEN-BAD-DATA", `line ${number} is no JSON object with a "text"`, "reenact redact test --help");
}

type Placed = ReturnType<ProjectScrubber["explain"]>;

interface Explained {
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

/** Lines and columns from 1, columns in UTF-16 units. */
function explained(
  text: string,
  hint: Hint,
  scrubber: ProjectScrubber,
): Placed & { hits: (Placed["hits"][number] & Explained)[] } {
  const { hits, ...rest } = scrubber.explain(text, hint);
  let line = 1;
  let lineStart = 0;
  return {
    ...rest,
    hits: hits.map((hit) => {
      for (let at = text.indexOf("\n", lineStart); at !== -1 && at < hit.start; at = text.indexOf("\n", lineStart)) {
        lineStart = at + 1;
        line++;
      }
      return { ...hit, line, column: hit.start - lineStart + 1, why: ruleReason(hit.rule) };
    }),
  };
}

function printTable(text: string, hint: Hint, scrubber: ProjectScrubber, options: Options): void {
  const counts: Record<string, number> = {};
  for (const { type, rule, start, end, at, line, column, why } of explained(text, hint, scrubber).hits) {
    counts[type] = (counts[type] ?? 0) + 1;
    const cells = [
      `${line}:${column}`.padEnd(10),
      type.padEnd(16),
      rule.padEnd(28),
      `${end - start} characters`,
      options.showValues === true ? `  ${oneLine(text.slice(start, end), 80)}` : "",
    ];
    process.stdout.write(`${cells.join(" ").trimEnd()}\n`);
    if (options.explain === true)
      process.stdout.write(`${" ".repeat(11)}${at === "" ? "" : `at ${oneLine(at, 100)}: `}${why}\n`);
  }
  if (options.quiet !== true)
    process.stderr.write(`${redactedLine(counts)} · policy ${scrubber.policy}, rule set ${scrubber.rules}\n`);
}

function read(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new CliError("REEN-NO-FILE", `cannot read ${file}: ${messageOf(error)}`, "check the path", { cause: error });
  }
}
