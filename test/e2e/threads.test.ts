import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";

const program = fileURLToPath(new URL("../programs/thread-outside.mjs", import.meta.url));
const store = new Store();
const folder = mkdtempSync(join(tmpdir(), "threads-"));
afterEach(() => store.remove());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Records the program beside a provider, and replays it without one. */
async function recordAndReplay(...args: string[]) {
  const command = [process.execPath, program, ...args];
  const provider = await startProvider();
  const env = { PROVIDER_URL: provider.url };
  const recorded = await store.run(command, { env });
  await provider.stop();
  const during = args.map((file) => file.endsWith(".txt") && readFileSync(file, "utf8"));
  return { recorded, during, replayed: await store.replay(recorded.summary.run!, command, { env }) };
}

test("a thread runs in a replay and reaches nothing: no server, no file", { timeout: 60_000 }, async () => {
  const file = join(folder, "notes.txt");
  writeFileSync(file, "begin\n");
  const { recorded, during, replayed } = await recordAndReplay(file);
  expect(recorded).toMatchObject({ code: 0, summary: { steps: 2, complete: true } });
  expect(during).toEqual(["begin\nanswered\n"]);
  expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout });
  expect(replayed.report).toMatchObject({ verdict: "identical", recorded: 2, refused: 0, socketsRefused: 0 });
  expect(replayed.report.findings).toContain("leak");
  expect(replayed.report.notes).toContainEqual(expect.stringMatching(/^a thread was refused: socket .*:\d+$/));
  expect(readFileSync(file, "utf8")).toBe("begin\nanswered\n");

  const { stdout } = await store.command("show", recorded.summary.run!);
  expect(stdout).toContain("not recorded: thread thread-outside.mjs (connects to a server, ");
  expect(stdout).toContain("a replay refuses it");
});

test("what a thread was refused is the first cause of an error that follows from it", { timeout: 60_000 }, async () => {
  const file = join(folder, "asks.mjs");
  writeFileSync(
    file,
    `import { isMainThread, Worker } from "node:worker_threads";
const ask = (content) => fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST",
  headers: { "content-type": "application/json" }, body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }) });
if (!isMainThread) await (await ask("thread")).text();
else {
  await (await ask("main")).text();
  await new Promise((resolve) => new Worker(new URL(import.meta.url)).on("exit", resolve));
  console.log("end");
}
`,
  );
  const provider = await startProvider();
  const options = { env: { PROVIDER_URL: provider.url } };
  const recorded = await store.run([process.execPath, file], options);
  await provider.stop();
  expect(recorded.stdout).toBe("end\n");
  const { report } = await store.replay(recorded.summary.run ?? "", [process.execPath, file], options);
  expect(report).toMatchObject({ verdict: "diverged", divergence: { step: null, verdict: "error" } });
  expect(report.divergence?.cause).toMatch(
    /^a thread was refused: socket \S+, since what threads ask for is in no record; then the program ended with TypeError: fetch failed/,
  );
});

test("a thread whose code is a text starts before any guard could: it is refused", { timeout: 60_000 }, async () => {
  const { recorded, replayed } = await recordAndReplay("none", "text");
  expect(recorded.code).toBe(0);
  expect(replayed).toMatchObject({ code: 10, report: { verdict: "diverged", refused: 1 } });
  expect(replayed.report.divergence?.cause).toContain("was refused: worker of a text");
});
