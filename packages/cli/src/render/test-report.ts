import { duration, safe } from "@reenact/view";
import type { FixtureResult } from "../tests/run-fixtures.ts";
import type { Paint } from "./painter.ts";

export const REPORTERS = ["lines", "json", "junit", "github"] as const;
export type Reporter = (typeof REPORTERS)[number];

const MARKS = { passed: ["green", "✓"], failed: ["red", "✗"], skipped: ["yellow", "-"] } as const;

/** A result for people, as it comes. */
export function resultLines({ status, message, durationMs }: FixtureResult, paint: Paint): string {
  const [colour, mark] = MARKS[status];
  const [first = "", ...rest] = message.split("\n");
  const time = status === "skipped" ? "" : `  ${duration(durationMs)}`;
  return [`${paint(colour, mark)} ${safe(first)}${time}`, ...rest.map((line) => safe(line))]
    .map((l) => `${l}\n`)
    .join("");
}

export function summaryLine(results: readonly FixtureResult[]): string {
  const count = (status: FixtureResult["status"]): number => results.filter((each) => each.status === status).length;
  const skipped = count("skipped");
  return `${count("passed")} passed, ${count("failed")} failed${skipped === 0 ? "" : `, ${skipped} skipped`}\n`;
}

/** All results as one text for a machine; `lines` has none. */
export function testReport(results: readonly FixtureResult[], reporter: Exclude<Reporter, "lines">): string {
  switch (reporter) {
    case "json":
      return `${JSON.stringify({ schemaVersion: 1, tests: results })}\n`;
    case "junit":
      return junit(results);
    case "github":
      return results
        .filter(({ status }) => status === "failed")
        .map(({ file, name, message }) => `::error file=${property(file)},title=${property(name)}::${data(message)}\n`)
        .join("");
  }
}

function junit(results: readonly FixtureResult[]): string {
  const count = (status: FixtureResult["status"]): number => results.filter((each) => each.status === status).length;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const total = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const cases = results.map(({ name, status, message, durationMs }) => {
    const [first = ""] = message.split("\n");
    const inner =
      status === "failed"
        ? `<failure message="${xml(first)}">${xml(message)}</failure>`
        : status === "skipped"
          ? `<skipped message="${xml(first)}"/>`
          : "";
    return `  <testcase classname="reenact" name="${xml(name)}" time="${seconds(durationMs)}">${inner}</testcase>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="reenact" tests="${results.length}" failures="${count("failed")}" skipped="${count("skipped")}" time="${seconds(total)}">
${cases.join("")}</testsuite>
</testsuites>
`;
}

/** Text of XML 1.0: markup escaped, without the control characters that it may not hold. */
function xml(text: string): string {
  const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;" };
  return safe(text).replace(/[&<>"\n]/g, (char) => escapes[char] ?? "");
}

const data = (text: string): string => text.replace(/[%\r\n]/g, (c) => ({ "%": "%25", "\r": "%0D" })[c] ?? "%0A");
const property = (text: string): string => data(text).replace(/[:,]/g, (c) => (c === ":" ? "%3A" : "%2C"));
