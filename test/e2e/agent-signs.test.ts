import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type RunSummary, Store } from "./reenact.ts";
import { recordServer } from "./record-server.ts";

const program = fileURLToPath(new URL("../programs/unsigned-server.mjs", import.meta.url));
const store = new Store();
let provider: Awaited<ReturnType<typeof startProvider>>;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(async () => {
  store.remove();
  await provider.stop();
});

/** Asks for so many other pages, and then twice for an answer of the model. */
async function record(style: string, others: number): Promise<{ summary: RunSummary; answers: string[] }> {
  const answers: string[] = [];
  const command = [process.execPath, program, style, join(store.folder, `${style}-${others}`)];
  const summary = await recordServer(store, command, { env: { PROVIDER_URL: provider.url } }, async (url) => {
    for (let n = 0; n < others; n++) await (await fetch(`${url}/health`)).text();
    for (let n = 0; n < 2; n++) answers.push(await (await fetch(`${url}/model`)).text());
  });
  return { summary, answers };
}

test.each([
  ["a program that loads an SDK has each such request recorded, however late the first comes", "sdk", 150, 2],
  ["one without any sign has its first requests watched", "plain", 20, 2],
  ["later ones are watched from the first call to a model on, by fetch", "plain", 150, 1],
  ["and by node:http", "http", 150, 1],
])(
  "%s",
  async (_, style, others, runs) => {
    const { summary, answers } = await record(style, others);
    expect(answers.every((answer) => answer.includes("hello"))).toBe(true);
    expect(summary.runs).toHaveLength(runs);
  },
  60_000,
);
