import { rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { recordServer } from "./record-server.ts";

const program = fileURLToPath(new URL("../programs/request-styles.mjs", import.meta.url));
const bench = ownBench();
const command = (style: string, ...more: string[]): string[] => [
  process.execPath,
  program,
  style,
  ...more,
  join(bench.folder, `address-${style}`),
];

async function post(url: string, body: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  return response.text().catch(() => "cut off");
}

/** A client that goes away in the middle of the response. */
async function leave(url: string, body: string): Promise<string> {
  const gone = await new Promise<string>((resolve) => {
    const asked = request(url, { method: "POST" }, (response) => {
      let parts = 0;
      response.on("data", () => {
        if (++parts !== 4) return;
        asked.destroy();
        resolve("gone");
      });
    });
    asked.on("error", () => {});
    asked.end(body);
  });
  await sleep(500);
  return gone;
}

interface Style {
  readonly style: string;
  readonly path?: string;
  readonly body?: string;
  readonly client?: typeof post;
  readonly answer: string;
  readonly status?: string;
  readonly steps?: number;
  /** how the run goes on after its response, ms */
  readonly after?: number;
  readonly divergence?: object;
}

const JSON_BODY = JSON.stringify({ message: "hello" });
const OTHER_BODY = { verdict: "output-changed", pointer: "/body" };

const STYLES: readonly Style[] = [
  { style: "express", path: "/chat/one", body: JSON_BODY, answer: "You said: hello" },
  { style: "express", path: "/late-failure", body: JSON_BODY, answer: "the desk is closed", status: "failed" },
  { style: "hono", path: "/chat", body: JSON_BODY, answer: "You said: hello" },
  { style: "callbacks", answer: "You said: hello" },
  { style: "events", answer: "data: [DONE]" },
  { style: "compressed", answer: "You said: hello" },
  {
    style: "accepted",
    answer: "accepted",
    steps: 2,
    after: 1500,
    divergence: { verdict: "changed", step: 2 },
  },
  {
    style: "cancelled",
    client: leave,
    answer: "gone",
    status: "aborted",
    steps: 3,
    divergence: { verdict: "changed", step: 3 },
  },
  { style: "crashes", answer: "cut off", status: "failed", divergence: { verdict: "error" } },
];

test.each(STYLES)(
  "$style $path: a request is a run, replays identically, and a change is found",
  { timeout: 60_000 },
  async ({
    style,
    path = "/",
    body = "hello",
    client = post,
    answer,
    status = "ok",
    steps = 1,
    after = 0,
    divergence = OTHER_BODY,
  }) => {
    const { store, provider } = bench;
    const summary = await recordServer(store, command(style), { env: { PROVIDER_URL: provider.url } }, async (url) => {
      expect(await client(url + path, body)).toContain(answer);
      await sleep(after);
    });
    expect(summary).toMatchObject({ steps, status, complete: true, runs: [summary.run] });

    const env = { PROVIDER_URL: "http://127.0.0.1:1" };
    const same = await store.replay(summary.run ?? "", command(style), { env });
    expect(same.report, JSON.stringify(same.report.divergence)).toMatchObject({
      verdict: "identical",
      recorded: steps,
      socketsRefused: 0,
    });
    const changed = await store.replay(summary.run ?? "", command(style, "changed"), { env });
    expect(changed.report.divergence).toMatchObject(divergence);
    expect([same.code, changed.code]).toEqual([0, 10]);
  },
);

const AUTHORIZATION = "Bearer let-me-in-0123456789";

test(
  "a conversation in memory behind authentication: earlier requests are sent first, the header is given",
  { timeout: 120_000 },
  async () => {
    const { store, provider } = bench;
    const turns = ["one", "two", "three"];
    const summary = await recordServer(store, command("chat"), { env: { PROVIDER_URL: provider.url } }, async (url) => {
      for (const message of turns) {
        const body = JSON.stringify({ session: "s", message });
        const response = await fetch(url, { method: "POST", headers: { authorization: AUTHORIZATION }, body });
        expect(await response.text()).toContain(turns.slice(0, turns.indexOf(message) + 1).join(" / "));
      }
    });
    expect(summary.runs).toHaveLength(3);
    const [first = "", , third = ""] = summary.runs;
    const env = { PROVIDER_URL: "http://127.0.0.1:1" };
    const header = ["--header", `Authorization: ${AUTHORIZATION}`];
    const replay = (flags: readonly string[]) => store.replay(third, command("chat"), { env, flags });

    const warm = await replay(header);
    expect([warm.code, warm.report]).toEqual([0, expect.objectContaining({ verdict: "identical", recorded: 1 })]);
    expect(warm.report.notes).toContain("the recorded request POST / was sent to the program, after 2 earlier runs");
    expect(JSON.stringify(warm.report)).not.toContain("let-me-in");

    const cold = await replay([...header, "--cold"]);
    expect([cold.code, cold.report.divergence]).toEqual([10, expect.objectContaining({ slot: "openai.chat|0" })]);

    const refused = await replay([]);
    expect([refused.code, refused.report.divergence?.cause]).toEqual([
      10,
      'the server answered 401 (recorded: 200), and took no step; it was sent with redacted values in authorization: --header "authorization: …" gives one',
    ]);

    rmSync(store.path(first));
    const lacking = await replay(header);
    expect(lacking.code).toBe(10);
    expect(lacking.report.notes).toContain(
      "earlier runs of the process are not in this store (number 1): what they left in memory is missing here",
    );
    await expect(replay(["--header", "no colon"])).rejects.toThrow(/exit 3: .*--header takes a name and a value/);
  },
);
