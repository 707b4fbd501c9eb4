import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";

const program = fileURLToPath(new URL("../programs/killed-server.mjs", import.meta.url));
const store = new Store();
const address = join(store.folder, "address");
const command = [process.execPath, program, address];
const KEY = "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f";
/** the runs by their names */
const runs = new Map<string, string>();

beforeAll(async () => {
  const provider = await startProvider();
  const register = import.meta.resolve("@reenact/node/register");
  const server = spawn(process.execPath, ["--import", register, ...command.slice(1)], {
    env: { ...process.env, NODE_OPTIONS: undefined, REENACT_STORE: store.folder, PROVIDER_URL: provider.url },
    stdio: "ignore",
  });
  const ended = once(server, "exit");
  await vi.waitFor(() => expect(existsSync(address)).toBe(true), { timeout: 20_000 });
  const url = readFileSync(address, "utf8");
  const post = (path: string, headers: Record<string, string>): ReturnType<typeof request> => {
    const asked = request(`${url}/${path}`, { method: "POST", headers });
    return asked.on("error", () => {});
  };
  post("first", {}).end(`first with ${KEY}`);
  post("later", { "content-type": "application/json" }).end(JSON.stringify({ question: "later", key: KEY }));
  post("unread", { "x-question": "unread" }).end();
  post("upload", { "content-length": "100" }).write("half of it");
  const asleep = (): number => provider.log.filter((each) => JSON.stringify(each).includes("sleep=60000")).length;
  // four requests and the job
  await vi.waitFor(() => expect(asleep()).toBe(5), { timeout: 20_000 });
  post("tool", {}).end();
  expect(await ended).toEqual([null, "SIGKILL"]);
  await provider.stop();
  const { stdout } = await store.command("ls", "--json");
  const { runs: listed } = JSON.parse(stdout) as { runs: { run: string; name: string }[] };
  for (const { run, name } of listed) runs.set(name, run);
}, 60_000);
afterAll(() => store.remove());

const replay = (name: string, edit = "", flags: readonly string[] = ["--cold"]) =>
  store.replay(runs.get(name) ?? "", edit === "" ? command : [...command, edit], { flags });

test("each run that a killed process had begun holds what it was asked, redacted", () => {
  expect([...runs.keys()].toSorted()).toEqual(
    ["* * * * * *", "POST /first", "POST /later", "POST /tool", "POST /unread", "POST /upload"].toSorted(),
  );
  const inputOf = (name: string): unknown => {
    const text = readFileSync(store.path(runs.get(name) ?? ""));
    expect(text.includes(KEY)).toBe(false);
    return decodeValue(String(readEnvelope(text).facts?.input));
  };
  expect(inputOf("POST /first")).toMatchObject({
    method: "POST",
    url: "/first",
    body: expect.stringMatching(/^first with \w+_/) as string,
  });
  expect(inputOf("POST /upload")).toMatchObject({ body: "half of it", cut: 10 });
  expect(inputOf("POST /unread")).not.toHaveProperty("cut");
  expect(inputOf("* * * * * *")).toMatchObject({ by: "croner" });
});

test("each of them replays up to the step in which the process was killed", async () => {
  const steps = { "POST /first": 1, "POST /later": 3, "POST /unread": 3, "* * * * * *": 3, "POST /tool": 1 };
  const again = async ([name, recorded]: [string, number]): Promise<void> => {
    const { report, code, stderr } = await replay(name);
    expect(report, `${name} ${stderr}`).toMatchObject({
      verdict: "incomplete",
      divergence: null,
      stopped: { reason: "recording-ends" },
      recorded,
      socketsRefused: 0,
    });
    expect(report.findings).toContain("truncated-recording");
    expect(code).toBe(11);
  };
  await Promise.all(Object.entries(steps).map(again));
});

test("runs that were under way beside it are not asked for first, and the report says so", async () => {
  const { report, code } = await replay("POST /tool", "", []);
  expect([code, report.divergence, report.recorded]).toEqual([11, null, 1]);
  expect(report.notes).toContainEqual(
    expect.stringMatching(
      /^earlier runs of the process had not ended when it was killed, and were not asked for again/,
    ),
  );
});

test("an edit is found in the call in which the process was killed", async () => {
  const [first, job] = await Promise.all([replay("POST /first", " please"), replay("* * * * * *", " please")]);
  for (const { report, code } of [first, job]) {
    expect(code).toBe(10);
    expect(report.divergence).toMatchObject({ step: 1, verdict: "changed", slot: "openai.chat|0" });
  }
});

test("a request of which a part had come is not sent again, and the report says so", async () => {
  const { report, code } = await replay("POST /upload");
  expect([code, report.verdict, report.stopped]).toEqual([
    11,
    "incomplete",
    {
      reason: "recording-ends",
      message: "nothing can be replayed: the recording has only a part of the request's body",
    },
  ]);
});
