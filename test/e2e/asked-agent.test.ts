import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";

const program = fileURLToPath(new URL("../programs/asked-agent.mjs", import.meta.url));
const store = new Store();
afterEach(() => store.remove());

/** Asks the program that writes its address into `file`. */
async function ask(file: string, question: string, init: RequestInit = {}): Promise<string> {
  for (const until = Date.now() + 20_000; !existsSync(file); await sleep(20))
    if (Date.now() > until) throw new Error("the program does not listen");
  const url = `${readFileSync(file, "utf8")}/${encodeURIComponent(question)}`;
  return fetch(url, init).then(
    (response) => response.text(),
    () => "",
  );
}

/** An answer without the time that it took. */
const said = (answer: string): string => answer.slice(0, answer.lastIndexOf(" "));

/** The program in one of its modes, being recorded beside a provider. */
async function record(mode: string) {
  const file = join(store.folder, "address");
  const command = [process.execPath, program, file, mode];
  const provider = await startProvider();
  const env = { PROVIDER_URL: provider.url };
  const recording = store.run(command, { env });
  const end = async () => {
    await ask(file, "stop");
    const { summary } = await recording;
    await provider.stop();
    rmSync(file);
    return summary;
  };
  return { file, end, replay: (run: string) => store.replay(run, command, { env, flags: ["--no-call"] }) };
}

const send = (file: string, body: string): Promise<string> => ask(file, "", { method: "POST", body });

test(
  "one request to a web server is replayed when it is sent again, and the replay ends by itself",
  { timeout: 60_000 },
  async () => {
    const file = join(store.folder, "address");
    const command = [process.execPath, program, file];
    const provider = await startProvider();
    const env = { PROVIDER_URL: provider.url };
    const recording = store.run(command, { env });
    const answers = [await ask(file, "first"), await ask(file, "second")];
    await ask(file, "stop");
    const { summary } = await recording;
    await provider.stop();
    expect(summary.runs).toHaveLength(2);

    const [first, second] = answers;
    for (const [question, answer, run] of [
      ["second", second, summary.runs[1]],
      ["first", first, summary.runs[0]],
    ] as const) {
      rmSync(file, { force: true });
      const replay = store.replay(run!, command, { env, flags: ["--no-call"] });
      expect(await ask(file, question)).toBe(answer);
      const { code, report } = await replay;
      expect(report).toMatchObject({ verdict: "identical", recorded: 1, socketsRefused: 0 });
      expect(code).toBe(0);
    }
  },
);

test("requests that no argument tells apart are known by what they ask first", { timeout: 60_000 }, async () => {
  const { file, end, replay } = await record("handler");
  const questions = ["first", "second", "third", "fourth"];
  const answers = await Promise.all(questions.map((question) => send(file, question)));
  const summary = await end();
  expect(summary.runs).toHaveLength(4);

  const shown = await store.command("show", summary.runs[2]!);
  const third = questions.findIndex((question) => shown.stdout.includes(question));
  for (const asked of [[third], [3, 2, 1, 0]]) {
    const replaying = replay(summary.runs[2]!);
    const again = await Promise.all(asked.map((at) => send(file, questions[at]!)));
    expect(again[asked.indexOf(third)]).toBe(answers[third]);
    expect(again.map(said)).toEqual(asked.map((at) => said(answers[at]!)));
    const { report } = await replaying;
    expect(report).toMatchObject({ verdict: "identical", recorded: 1, socketsRefused: 0 });
    rmSync(file);
  }
});

test("an agent that returns a stream lasts until it has been read", { timeout: 60_000 }, async () => {
  const { file, end, replay } = await record("stream");
  const answer = await ask(file, "first");
  const summary = await end();
  expect(summary).toMatchObject({ steps: 2, complete: true });

  const replaying = replay(summary.run!);
  expect(await ask(file, "first")).toBe(answer);
  expect((await replaying).report).toMatchObject({ verdict: "identical", recorded: 2, socketsRefused: 0 });
});
