import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeValue } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { unrecordedTools } from "@reenact/view";
import { expect } from "vitest";
import { type Script, startProvider } from "../../examples/scripted-provider/provider.ts";
import { scenarioEnvironment } from "../scenarios/recorded-scenario.ts";
import type { Ended, RunSummary, Store } from "./reenact.ts";
import { difference, type Replayed } from "./trial.ts";

/** A tool step, as the record has it. */
export interface ToolStep {
  readonly name: string;
  /** its place in the model's answer is known */
  readonly asked: boolean;
  readonly args: readonly unknown[];
  readonly result?: unknown;
  readonly error?: string;
}

export interface Tried {
  readonly recorded: Ended & { summary: RunSummary };
  readonly replayed: Replayed;
  readonly envelope: Envelope;
  readonly tools: readonly ToolStep[];
}

/** Folder of a row's programs; `script.mjs` there is what the model says to them. */
export const fixturesOf = (name: string): string =>
  join(import.meta.dirname, "../../packages/hooks/src", name, "fixtures");

/** Runs `use` with a provider that speaks the script of a row, if it has one, and its environment. */
export async function withModel<T>(name: string, use: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const file = join(fixturesOf(name), "script.mjs");
  if (!existsSync(file)) return use({});
  const { script } = (await import(file)) as { script: Script };
  const provider = await startProvider({ script });
  try {
    return await use(scenarioEnvironment(provider.url));
  } finally {
    await provider.stop();
  }
}

/**
 * Records a program of a row and replays it with its model gone. It must print the same, run no tool again, and leave no
 * tool call unrecorded.
 */
export async function tryProgram(store: Store, name: string, ...program: string[]): Promise<Tried> {
  const command = [process.execPath, ...program];
  const [recorded, env] = await withModel(name, async (given) => [await store.run(command, { env: given }), given]);
  expect(recorded.code, recorded.stderr).toBe(0);
  const { run } = recorded.summary;
  if (run === null) throw new Error(`nothing was recorded: ${recorded.stderr}`);
  const envelope = readEnvelope(readFileSync(store.path(run)));
  const replayed = await store.replay(run, command, { env });
  // a tool that runs says so; all else is as it was
  const quiet = { ...recorded, stderr: recorded.stderr.replaceAll(/^ran\n/gm, "") };
  expect(difference(quiet, replayed)).toBeNull();
  expect(unrecordedTools(envelope)).toEqual({ calls: 0, named: "" });
  return { recorded, replayed, envelope, tools: toolsOf(envelope) };
}

function toolsOf({ steps }: Envelope): ToolStep[] {
  return steps.flatMap(({ record }) => {
    const { call, op } = record;
    if (!op.startsWith("tool:") || call === undefined) return [];
    const { args, result, error, yields } = call;
    const decoded = (text: unknown): unknown => decodeValue(text as never);
    return [
      {
        name: op.slice("tool:".length),
        asked: record.asked === true,
        args: decoded(args) as unknown[],
        ...(yields !== undefined
          ? { result: yields.map(decoded) }
          : result === undefined
            ? {}
            : { result: decoded(result) }),
        ...(error === undefined ? {} : { error: String(decoded(error)) }),
      },
    ];
  });
}

/** How often a tool's body ran. */
export const bodies = ({ stderr }: Ended): number => stderr.split("\n").filter((line) => line === "ran").length;
