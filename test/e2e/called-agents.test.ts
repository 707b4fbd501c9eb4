import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";

const program = fileURLToPath(new URL("../programs/chat-server.mjs", import.meta.url));
const store = new Store();
const file = join(store.folder, "address");
const command = [process.execPath, program, file];
const TURNS = [
  ["one", "Where is my parcel?"],
  ["two", "What is the weather?"],
  ["one", "And the other one?"],
  ["one", "Thank you."],
] as const;
let runs: string[];

beforeAll(async () => {
  const provider = await startProvider();
  const recording = store.run(command, { env: { PROVIDER_URL: provider.url } });
  for (const until = Date.now() + 20_000; !existsSync(file); await sleep(20))
    if (Date.now() > until) throw new Error("the program does not listen");
  const url = readFileSync(file, "utf8");
  for (const [session, message] of TURNS) {
    const headers = { authorization: "Bearer let-me-in-0123456789" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ session, message }) });
    expect(response.status).toBe(200);
    await response.text();
  }
  await fetch(`${url}/stop`).catch(() => {});
  ({ runs } = (await recording).summary);
  await provider.stop();
}, 60_000);
afterAll(() => store.remove());

const replay = (turn: number, flags: readonly string[] = [], ...more: string[]) =>
  store.replay(runs[turn] ?? "", [...command, ...more], { flags });

test("a run of a server is replayed by one command, after the earlier ones of its session", async () => {
  expect(runs).toHaveLength(4);
  const { report, code } = await replay(3);
  expect([code, report]).toEqual([0, expect.objectContaining({ verdict: "identical", recorded: 2, sockets: 0 })]);
  expect(report.notes).toContainEqual(expect.stringMatching(/^agent "chat" was called .* after 2 earlier runs: /));
  const others = report.runs.filter(({ run }) => run !== runs[3]);
  expect(others.map(({ run, verdict }) => [run, verdict]).filter(([, verdict]) => verdict === "identical")).toEqual([
    [runs[0], "identical"],
    [runs[2], "identical"],
  ]);
});

test("the first run of a session needs no other, and a server that is not warm is told from one that is", async () => {
  const first = await replay(1);
  expect(first.report).toMatchObject({ verdict: "identical" });
  expect(first.report.notes).toContainEqual(expect.stringMatching(/recorded arguments: what its caller does/));
  const cold = await replay(3, ["--cold"]);
  expect(cold.report).toMatchObject({ verdict: "diverged", divergence: { slot: "openai.chat|0" } });
  expect(cold.report.notes).toContainEqual(expect.stringMatching(/^2 earlier runs .* without --cold asks for it$/));
  expect(first.report.notes.join()).not.toContain("--cold");
});

test("another result is a divergence", async () => {
  const { report, code } = await replay(3, [], "loud");
  expect([code, report]).toEqual([
    10,
    expect.objectContaining({ divergence: expect.objectContaining({ verdict: "output-changed" }) }),
  ]);
});
