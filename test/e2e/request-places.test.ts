import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { recordServer } from "./record-server.ts";

const program = fileURLToPath(new URL("../programs/request-places.mjs", import.meta.url));
const bench = ownBench();
const [key, cert] = [join(bench.folder, "key.pem"), join(bench.folder, "cert.pem")];
const command = (place: string, ...more: string[]): string[] => [
  process.execPath,
  program,
  place,
  ...more,
  join(bench.folder, `address-${place}`),
];
const away = { PROVIDER_URL: "http://127.0.0.1:1", TLS_KEY: key, TLS_CERT: cert };
const triggerOf = (run: string): unknown => readEnvelope(readFileSync(bench.store.path(run))).facts?.trigger;

beforeAll(() => {
  const subject = ["-subj", "/CN=localhost", "-days", "2", "-nodes"];
  const files = ["-keyout", key, "-out", cert];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", ...subject, ...files],
    {
      stdio: "ignore",
    },
  );
});

/** Sends a message to the server that the control server tells of. */
async function post(control: string, isSecure: boolean, message: string): Promise<string> {
  const place = (await (await fetch(control)).json()) as object;
  const { request } = isSecure ? https : http;
  return new Promise((resolve, reject) => {
    const asked = request({ ...place, host: "127.0.0.1", method: "POST", rejectUnauthorized: false, agent: false });
    asked.once("response", (response) => resolve(text(response)));
    asked.once("error", reject);
    asked.end(message);
  });
}

async function record(place: string, messages: readonly string[], after = 0) {
  const env = { ...away, PROVIDER_URL: bench.provider.url };
  return recordServer(bench.store, command(place), { env }, async (url) => {
    for (const message of messages) expect(await post(url, place === "secure", message)).toContain(message);
    await sleep(after);
  });
}

test.each(["secure", "unix"])(
  "requests to a server in a %s place are runs that replay by the one command",
  { timeout: 60_000 },
  async (place) => {
    const socket = join(bench.folder, `address-${place}.sock`);
    const { runs } = await record(place, ["one", "two"]);
    expect(runs).toHaveLength(2);
    rmSync(socket, { force: true });
    const [, second = ""] = runs;
    const same = await bench.store.replay(second, command(place), { env: away });
    expect(same.report).toMatchObject({ verdict: "identical", recorded: 1, socketsRefused: 0 });
    expect(same.report.notes).toContain("the recorded request POST / was sent to the program, after 1 earlier run");
    // a replay listens on a path of its own
    expect(existsSync(socket)).toBe(false);
  },
);

test("what a server reaches for beside its requests is refused, and no divergence", { timeout: 60_000 }, async () => {
  const { run } = await record("reaching", ["one"]);
  const { report } = await bench.store.replay(run ?? "", command("reaching"), { env: away });
  expect(report, JSON.stringify([report.divergence, report.notes])).toMatchObject({
    verdict: "identical",
    recorded: 1,
    refused: 0,
  });
  const refused = report.notes.filter((note) => note.startsWith("refused outside of the recorded requests"));
  expect(refused.map((note) => note.replace(/^.*?: /, ""))).toEqual([
    expect.stringMatching(/^request GET .*\/settings$/) as string,
    "socket 127.0.0.1:65535",
  ]);
});

test(
  "a start-up that calls a model is a run of its own, and its calls are served in the replay of a request",
  { timeout: 60_000 },
  async () => {
    const { runs } = await record("warmed", ["one", "two"]);
    expect(runs.map(triggerOf)).toEqual(["process", "request", "request"]);
    const [startUp = "", , second = ""] = runs;
    const same = await bench.store.replay(second, command("warmed"), { env: away });
    expect(same.report).toMatchObject({ verdict: "identical", recorded: 1, socketsRefused: 0 });
    const changed = await bench.store.replay(second, command("warmed", "changed"), { env: away });
    expect(changed.report.divergence).toMatchObject({ verdict: "output-changed", pointer: "/body" });
    const first = await bench.store.replay(startUp, command("warmed"), { env: away });
    expect(first.report).toMatchObject({ verdict: "identical", recorded: 1 });
  },
);

test("what such a server asks later, outside of every request, is recorded", { timeout: 60_000 }, async () => {
  const { runs } = await record("warmed", ["one", "later"], 3000);
  expect(runs.map(triggerOf)).toEqual(["process", "request", "request", "process"]);
});
