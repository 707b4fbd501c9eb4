import { here, live } from "./context.ts";
import { callStep } from "./function-step.ts";
import { recorder } from "./recorder.ts";

/** Asks a human: the handler given to `instrument({ onInput })`, else one line of the terminal. */
export async function input(name: string, question: string): Promise<unknown> {
  const frame = here();
  if (frame === null) return ask(name, question);
  return callStep(
    frame,
    {
      start: { kind: "INPUT", name, op: `input:${name}`, path: frame.path, agentic: true },
      inner: () => ({ run: null, path: "", scope: -1, asks: null, outer: frame }),
      source: null,
    },
    [question],
    () => ask(name, question),
  );
}

async function ask(name: string, question: string): Promise<unknown> {
  if (recorder.onInput !== null) return recorder.onInput(name, question);
  return live(async () => {
    const { createInterface } = process.getBuiltinModule("node:readline/promises");
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const closed = new Promise<never>((_, reject) => terminal.once("close", () => reject(new Error(`no answer to input "${name}": standard input has ended`))));
      return await Promise.race([terminal.question(`${question} `), closed]);
    } finally {
      terminal.close();
    }
  });
}
