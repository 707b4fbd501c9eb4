import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScannedSpan, joinTraces, scanTraces } from "@reenact/envelope";
import type { Answer } from "../../examples/scripted-provider/answer.ts";
import { deliverWhole } from "../../examples/scripted-provider/deliver.ts";
import { startProvider } from "../../examples/scripted-provider/provider.ts";
import { bin, type Ended, launch } from "../e2e/reenact.ts";
import { foreignRun } from "./ui-runs.ts";

export interface Conversation {
  /** The model gives its next answers, and the program goes on to the question behind them. */
  next(answers?: number): void;
  /** Resolves when the program has ended. */
  readonly ended: Promise<Ended>;
  /** Ends the program wherever it is. */
  remove(): Promise<void>;
}

/** A recorded program that sends its record to a collector, and goes on only when the test lets the model answer. */
export async function startConversation(endpoint: string, answers: readonly Answer[]): Promise<Conversation> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-ui-live-"));
  let asked = 0;
  let allowed = 0;
  const gates = answers.map(() => Promise.withResolvers<void>());
  const provider = await startProvider({
    script: () => {
      const n = asked++;
      return {
        ...answers[n],
        async deliver(...given) {
          await gates[n]?.promise;
          await deliverWhole(...given);
        },
      };
    },
  });
  const program = join(import.meta.dirname, "../programs/long-conversation.mjs");
  let pid: number | undefined;
  const ended = launch(
    [process.execPath, bin, "run", "--store", join(folder, "store"), "--", process.execPath, program],
    {
      env: { PROVIDER_URL: provider.url, REENACT_ENDPOINT: endpoint },
      timeoutMs: 120_000,
      onStart: (started) => (pid = started),
    },
  );
  const next = (count = 1) => {
    allowed += count;
    for (const gate of gates.slice(0, allowed)) gate.resolve();
  };
  return {
    next,
    ended,
    async remove() {
      next(answers.length);
      // a program whose answers have all been given ends by itself
      const clock = setTimeout(() => pid !== undefined && process.kill(pid), 10_000);
      await ended;
      clearTimeout(clock);
      await provider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A run of another instrumentation whose root does not come: it stays open. `spans` one by one, in their order. */
export function openRun(name: string, steps: number): { readonly id: string; readonly spans: readonly Uint8Array[] } {
  const calls = Array.from({ length: steps }, (_, n) => ({ input: `question ${n + 1}`, output: `answer ${n + 1}` }));
  const { id, body } = foreignRun(name, calls);
  const [, ...spans] = scanTraces(body) as readonly ScannedSpan[];
  return { id, spans: spans.map((span) => joinTraces([span]).bytes) };
}
