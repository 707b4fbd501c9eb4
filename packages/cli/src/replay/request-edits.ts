import { isEditable } from "@reenact/providers";
import type { PlannedEdit, Tape } from "@reenact/replay";
import { oneLine } from "@reenact/view";
import { isRequestEdit, namedValue, usageOfSet } from "./given-results.ts";

const FORM = /^(?:(prompt)\.(\d+)|(system)|(model)|(params)\.([\w.-]+))=(.*)$/s;

/** The changes of requests that `--set` asks for. Throws for a form, a step or a value that cannot be. */
export function requestEdits(tape: Tape, set: readonly string[], store: string): PlannedEdit[] {
  return set.filter(isRequestEdit).map((text) => {
    const [, prompt, step, system, model, params, name, value = ""] = FORM.exec(text) ?? [];
    const what = (prompt ?? system ?? model ?? params) as PlannedEdit["what"] | undefined;
    if (what === undefined)
      throw usageOfSet(
        text,
        "it names no part of a request",
        "--set prompt.<step>=, system=, model= or params.<name>=",
      );
    const number = step === undefined ? null : Number(step) - 1;
    refuseStep(tape, text, number);
    return { what, name: name ?? null, step: number, value: valueOf(text, what, value, store) };
  });
}

function refuseStep(tape: Tape, text: string, number: number | null): void {
  const asked = tape.ordered.filter(({ kind }) => kind === "LLM");
  const models = asked.filter(({ record }) => isEditable(record.op));
  if (number === null ? models.length > 0 : models.some(({ index }) => index === number)) return;
  const steps = models.map(({ index }) => index + 1);
  const others = new Set(
    (number === null ? asked : asked.filter(({ index }) => index === number)).map(({ record }) => record.op),
  );
  const named = others.size === 0 ? "" : ` (${oneLine([...others].join(", "), 100)})`;
  throw usageOfSet(
    text,
    number === null
      ? `the run has no request that can be edited${named}`
      : `step ${number + 1} is no request that can be edited${named}`,
    steps.length === 0
      ? "requests of OpenAI, Anthropic, Google, Bedrock (Converse), Mistral, Cohere and Ollama can be"
      : `the run has them at step ${oneLine(steps.slice(0, 20).join(", "), 100)}`,
  );
}

/** Texts stand as they are; a parameter is JSON, or a text where it is none. */
function valueOf(text: string, what: PlannedEdit["what"], value: string, store: string): PlannedEdit["value"] {
  const isText = what !== "params" || (!value.startsWith("@") && !isJson(value));
  const named = namedValue(text, isText && !value.startsWith("@") ? JSON.stringify(value) : value, store);
  if (what !== "params" && typeof named.given !== "string")
    throw usageOfSet(text, "the file holds JSON that is no text", "name a file that does not end in .json");
  if (what === "model" && named.given === "") throw usageOfSet(text, "it names no model", "--set model=<name>");
  return named.value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
