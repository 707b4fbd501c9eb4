import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { bin, launch, Store } from "./reenact.ts";

/** With an argument it stays behind its first answer, in the way that the argument names. */
const PROGRAM = `
import { writeFileSync } from "node:fs";
const body = JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content: "hi" }] });
const headers = { "content-type": "application/json" };
const call = async () => {
  const answer = await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", headers, body });
  console.log((await answer.json()).choices[0].message.content);
};
process.on("exit", () => writeFileSync("at-exit", "told"));
await call();
if (process.argv[2] === "loop") for (;;);
if (process.argv[2] === "wait") {
  process.on("SIGTERM", () => console.log("not of the record"));
  (await import("node:http")).createServer().listen(0, "127.0.0.1");
  await new Promise(() => {});
}
await call();
`;

const store = new Store();
const project = mkdtempSync(join(tmpdir(), "interrupted-"));
const command = [process.execPath, "agent.mjs"];
let provider: ChildProvider;
let run: string;

beforeAll(async () => {
  writeFileSync(join(project, "agent.mjs"), PROGRAM);
  provider = await startChildProvider({ log: join(project, "provider.jsonl") });
  const env = { PROVIDER_URL: provider.url };
  run = String((await store.run(command, { cwd: project, env })).summary.run);
  rmSync(join(project, "at-exit"));
});

afterAll(async () => {
  await provider.stop();
  rmSync(project, { recursive: true, force: true });
  store.remove();
});

test.each([
  { how: "wait", signal: "SIGINT", says: "interrupted by SIGINT, with 1 of 2 steps met" },
  { how: "wait", signal: "SIGTERM", says: "interrupted by SIGTERM, with 1 of 2 steps met" },
  { how: "loop", signal: "SIGINT", says: "interrupted; the program did not react and was killed" },
] as const)("a replay that is ended by $signal tells what it has seen: $how", async ({ how, signal, says }) => {
  const replay = [process.execPath, bin, "replay", run, "--store", store.folder, "--", ...command, how];
  const onOutput = (pid: number): void => void setTimeout(() => process.kill(pid, signal), 200);
  const ended = await launch(replay, { cwd: project, env: { PROVIDER_URL: provider.url }, onOutput });
  expect(ended.code).toBe(130);
  expect(ended.stderr).toContain("! incomplete");
  expect(ended.stderr).toContain(`stopped: ${says}`);
  expect(ended.stdout).not.toContain("not of the record");
  expect(readdirSync(project)).not.toContain("at-exit");
});
