import { safe } from "@reenact/view/text";
import type { Run, StepDetail, ViewStep } from "../api/call.ts";
import { runName } from "./run-name.ts";

/** A word for a shell. What a model or a tool wrote cannot end the quotes, and has no control characters. */
function shellWord(text: string): string {
  const word = safe(text);
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Headers that curl sets by itself, and those that are of one connection. */
const OWN = new Set(["content-length", "host", "connection", "accept-encoding", "transfer-encoding"]);

/** The recorded request as a line for a shell; redacted values are tokens in it, as they are in the record. */
export function curlOf({ method, url, requestHeaders }: NonNullable<StepDetail["exchange"]>, body: string): string {
  const headers = requestHeaders.filter(([name]) => !OWN.has(name.toLowerCase()));
  return [
    // [1-3] and {a,b} in an address are text, and one that begins with a dash is no option
    ["curl", "-g", "-X", method, "--url", url],
    ...headers.map(([name, value]) => ["-H", `${name}: ${value}`.replace(/[\r\n]+/g, " ")]),
    ...(body === "" ? [] : [["--data-raw", body]]),
  ]
    .map((words) => words.map(shellWord).join(" "))
    .join(" \\\n  ");
}

/** A fence that no line of the text ends. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const flat = (text: string): string => safe(text).replace(/\s+/g, " ");

function stepMarkdown({ step, name, kind, error, input, output }: ViewStep): string {
  const items = [...input, ...output].map(({ is, role, name: whose, text }) => {
    const head = is === "call" ? `calls ${whose ?? ""}` : is === "result" ? `result of ${whose ?? ""}` : role;
    return `**${flat(head)}**\n\n${fenced(safe(text))}`;
  });
  const failed = error === null ? [] : [`**failed** ${flat([error.class, error.message].filter(Boolean).join(": "))}`];
  return [`## ${step}. ${flat(name)} (${kind})`, ...failed, ...items].join("\n\n");
}

/** A run, or some of its steps, for an issue or a chat. Values as long as the page shows them. */
export function markdownOf(run: Run, steps: readonly ViewStep[], link: string): string {
  const error = run.error === null ? "" : `: ${flat(`${run.error.class} ${run.error.message}`)}`;
  const head = `# ${flat(runName(run))}\n\n${run.status}${error} · <${link}>`;
  return `${[head, ...steps.map(stepMarkdown)].join("\n\n")}\n`;
}
