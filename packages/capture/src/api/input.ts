import type { Interface } from "node:readline";
import { stepFrame, live } from "../run/context.ts";
import { callStep } from "../span/function-step.ts";
import { recorder } from "../run/recorder.ts";

/**
 * Asks a person, and records the answer as a step. A replay returns the recorded answer and asks nobody.
 *
 * @param name names the step
 * @param question what the person reads
 * @returns what the handler of `instrument({ onInput })` returns; without one, a line read from the terminal. Does not settle where
 * runs are suspended (`onInput: "suspend"`, `reenact run --suspend`): the process ends once it has nothing else to do
 * @throws if there is no handler and standard input has ended
 */
export async function input(name: string, question: string): Promise<unknown> {
  const frame = stepFrame();
  if (frame === null) return ask(name, question);
  return callStep(
    frame,
    {
      start: { kind: "INPUT", name, op: `input:${name}`, path: frame.path, agentic: true },
      inner: () => ({ run: null, path: "", scope: -1, span: "", pendingToolCalls: null, outer: frame }),
      source: null,
    },
    [question],
    () => ask(name, question),
  );
}

async function ask(name: string, question: string): Promise<unknown> {
  if (recorder.suspendsInput) return new Promise(() => {});
  if (recorder.onInput !== null) return recorder.onInput(name, question);
  return live(async () => {
    const answer = await (process.stdin.isTTY ? askTerminal(question) : askPipe(question));
    if (answer === null) throw new Error(`no answer to input "${name}": standard input has ended`);
    return answer;
  });
}

async function askTerminal(question: string): Promise<string | null> {
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<null>((resolve) => terminal.once("close", () => resolve(null)));
    return await Promise.race([terminal.question(`${question} `), closed]);
  } finally {
    terminal.close();
  }
}

interface Lines {
  readonly reader: Interface;
  readonly read: string[];
  readonly waiting: ((line: string | null) => void)[];
  ended: boolean;
}

let lines: Lines | null = null;

/** One reader for all questions: a pipe brings the answers to later ones in the same piece. */
function askPipe(question: string): Promise<string | null> {
  process.stderr.write(`${question} `);
  lines ??= readLines();
  const { reader, read, waiting, ended } = lines;
  const line = read.shift();
  if (line !== undefined) return Promise.resolve(line);
  if (ended) return Promise.resolve(null);
  reader.resume();
  return new Promise((resolve) => waiting.push(resolve));
}

function readLines(): Lines {
  const reader = process.getBuiltinModule("node:readline").createInterface({ input: process.stdin });
  const opened: Lines = { reader, read: [], waiting: [], ended: false };
  reader.on("line", (line) => {
    const next = opened.waiting.shift();
    if (next === undefined) opened.read.push(line);
    else next(line);
    // without a pending question, standard input does not keep the process alive
    if (opened.waiting.length === 0) reader.pause();
  });
  reader.on("close", () => {
    opened.ended = true;
    for (const next of opened.waiting.splice(0)) next(null);
  });
  return opened;
}
