import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Script, startProvider } from "../../examples/scripted-provider/provider.ts";
import { startChildProvider } from "../provider/child-provider.ts";
import { scenarioEnvironment } from "../scenarios/recorded-scenario.ts";
import { commandOf } from "../scenarios/run-scenario.ts";
import { SCENARIOS } from "../scenarios/scenarios.ts";
import type { Group, OpenGroup } from "./group.ts";
import type { Program } from "./trial.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Programs of each SDK that go wrong in every way of theirs. */
export const scenarios: Group = {
  name: "SDK scenarios",
  open: () =>
    withTestProvider((url) =>
      SCENARIOS.flatMap((scenario) =>
        (["mjs", "cjs"] as const).map((format) => ({
          name: `${scenario.sdk} ${scenario.name} ${format}`,
          command: commandOf(scenario, format),
          env: scenarioEnvironment(url),
        })),
      ),
    ),
};

/** Agents drawn from a seed: branches, tools, streams, failures, timers, aborts, all at the same time. */
export const randomAgents = (count: number, first: number): Group => ({
  name: "random concurrent agents",
  open: () =>
    withTestProvider((url) =>
      Array.from({ length: count }, (_, n) => ({
        name: `seed ${first + n}`,
        command: [process.execPath, join(root, "test/programs/random-agent.mjs"), String(first + n)],
        env: { PROVIDER_URL: url },
      })),
    ),
});

async function withTestProvider(programs: (url: string) => readonly Program[]): Promise<OpenGroup> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-fidelity-"));
  const provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  return {
    programs: programs(provider.url),
    stop: async () => {
      await provider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Programs of frameworks and of the examples, each with the model's answers in `script.mjs` beside it. Examples with packages of their own, and
 * servers, are tried by `npm run examples`.
 */
export const scripted: Group = {
  name: "frameworks and examples",
  async open() {
    const files = [
      ...globSync("packages/hooks/src/frameworks/*/fixtures/program.{mjs,cjs}", { cwd: root }),
      ...globSync("examples/{frameworks/ai-sdk,hand-written-loop,test-in-ci,typescript}/agent.{mjs,ts}", { cwd: root }),
    ].toSorted();
    const providers: Awaited<ReturnType<typeof startProvider>>[] = [];
    const programs: Program[] = [];
    for (const file of files) {
      const script = join(root, dirname(file), "script.mjs");
      const { script: answers } = (await import(pathToFileURL(script).href).catch(() => ({}))) as { script?: Script };
      const provider = answers === undefined ? null : await startProvider({ script: answers });
      if (provider !== null) providers.push(provider);
      programs.push({
        name: `${dirname(file).replace(/^packages\/hooks\/src\/|\/fixtures$/g, "")} ${basename(file)}`,
        command: [process.execPath, join(root, file)],
        cwd: join(root, dirname(file)),
        env: provider === null ? {} : scenarioEnvironment(provider.url),
      });
    }
    return { programs, stop: async () => void (await Promise.all(providers.map((each) => each.stop()))) };
  },
};
