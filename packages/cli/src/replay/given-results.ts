import { resolve } from "node:path";
import { type GivenResult, givenValue, type RecordedStep, type Tape, whyNotGiven } from "@reenact/replay";
import { oneLine } from "@reenact/view";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { projectScrubber } from "../redact/project-scrubber.ts";

const FORM =
  "--set tool.<name>=<JSON> or input.<name>=<JSON>, <name>@<n> for its nth call, prompt.<step>=, system=, model= or params.<name>=, or =@<file>";

/** Whether a `--set` changes a request to a model, and not what a call returns. */
export const isRequestEdit = (text: string): boolean => /^(?:prompt|system|model|params)\b/.test(text);

/** What a name may stand for, and how that is called. */
const FORMS = {
  tool: { ops: /^(?:tool|step):/, what: "tool or step" },
  input: { ops: /^input:/, what: "input" },
} as const;
type Form = keyof typeof FORMS;

/**
 * The results that `--set` gives to calls of tools and steps, and the answers that it gives to questions. Throws for what the run does not have, and for a value on the command
 * line that redaction would replace: the plan of a replay is a file.
 */
export function givenResults(
  tape: Tape,
  { set, runTool, store }: { set: readonly string[]; runTool: readonly string[]; store: string },
): GivenResult[] {
  const found = set.flatMap((text) => {
    if (isRequestEdit(text)) return [];
    const [, form, name = "", nth, value = ""] = /^(tool|input)\.([^=]+?)(?:@(\d+))?=(.*)$/s.exec(text) ?? [];
    if (name === "")
      throw usageOfSet(
        text,
        "it names neither a tool's result, nor an answer to a question, nor a part of a request",
        FORM,
      );
    if (form === "tool" && runTool.includes(name))
      throw usageOfSet(text, `--run-tool ${name} runs its body`, "leave out one of the two");
    const given = namedValue(text, value, store).value;
    return callsOf(tape, text, { form: form as Form, name, nth }).map(({ index }) => ({
      step: index,
      value: given,
      text,
    }));
  });
  const twice = found.find(({ step }, n) => found.findIndex((other) => other.step === step) < n);
  if (twice !== undefined)
    throw usageOfSet(twice.text, `the result of step ${twice.step + 1} is given twice`, "leave out one of the two");
  return found.map(({ step, value }) => ({ step, value }));
}

function callsOf(
  tape: Tape,
  text: string,
  { form, name, nth }: { form: Form; name: string; nth: string | undefined },
): RecordedStep[] {
  const all = tape.ordered.filter(({ record }) => FORMS[form].ops.test(record.op));
  const calls = all.filter((step) => step.name === name);
  if (calls.length === 0) {
    const names = [...new Set(all.map((step) => oneLine(step.name, 60)))];
    throw usageOfSet(
      text,
      `the run has no such ${FORMS[form].what}`,
      names.length === 0 ? "the run recorded none" : `it recorded ${names.slice(0, 12).join(", ")}`,
    );
  }
  const chosen = nth === undefined ? calls : calls.slice(Math.max(0, Number(nth) - 1), Number(nth));
  if (chosen.length === 0)
    throw usageOfSet(
      text,
      `the run called ${oneLine(name, 60)} ${calls.length} ${calls.length === 1 ? "time" : "times"}`,
      `${form}.${oneLine(name, 60)}@1 to @${calls.length}`,
    );
  for (const step of chosen) {
    const why = whyNotGiven(step);
    if (why !== null)
      throw usageOfSet(text, `step ${step.index + 1} cannot be given a result: ${why}`, "reenact show <run>");
  }
  return chosen;
}

/** The value of a `--set`, JSON or `@file`, with where it stands. */
export function namedValue(
  text: string,
  value: string,
  store: string,
): { value: GivenResult["value"]; given: unknown } {
  const named = value.startsWith("@") ? { file: resolve(value.slice(1)) } : { json: value };
  let given: unknown;
  try {
    given = givenValue(named);
  } catch (error) {
    throw usageOfSet(
      text,
      "file" in named ? `cannot read ${value.slice(1)}: ${whyNot(error)}` : "the value is not JSON",
      "file" in named ? "a file whose name ends in .json holds JSON, any other one a text" : `'"a text"', or =@<file>`,
    );
  }
  if ("json" in named && projectScrubber({ store }).scrub(value, { mime: "application/json" }).text !== value)
    throw usageOfSet(text, "the value holds something that redaction replaces", "put it into a file: =@<file>");
  return { value: named, given };
}

/** What JSON.parse throws holds a part of the text. */
const whyNot = (error: unknown): string => (error instanceof SyntaxError ? "it is not JSON" : messageOf(error));

/** The value itself is not repeated: it may be secret. */
export const usageOfSet = (text: string, what: string, next: string): CliError =>
  new CliError("REEN-USAGE", `--set ${oneLine(text.split("=", 1)[0] ?? "", 80)}: ${what}`, next);
