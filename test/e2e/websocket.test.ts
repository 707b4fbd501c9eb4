import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getPaths, recordServer } from "./record-server.ts";
import { type Ended, launch, type RunSummary, Store } from "./reenact.ts";
import type { Recorded, Replayed } from "./trial.ts";

const programs = join(import.meta.dirname, "../programs/websocket");
const program = (name: string): string[] => [process.execPath, join(programs, name)];
const store = new Store();
const address = join(store.folder, "address");
const CLIENT_SECRET = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o525KUZH";
const OPENAI_API_KEY = "sk-proj-realtimecanary0123456789abcdefghijkl";
const MAIL = "frame.person@example.org";
const keeps = [...program("keeps-connection.mjs"), address];

let env: Record<string, string>;
let plain: Ended;
let recorded: Recorded;
let realtime: Recorded;
let kept: RunSummary;
const broken = new Map<string, Recorded>();

/** Everything is recorded before the server is stopped; what comes after that has none. */
beforeAll(async () => {
  const [key, cert] = [join(store.folder, "key.pem"), join(store.folder, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-nodes"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", ...kind, ...names], { stdio: "ignore" });
  const server = spawn(process.execPath, [join(programs, "server.mjs")], {
    env: { ...process.env, KEY: key, CERT: cert },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  const [port = "", securePort = ""] = line.split(" ");
  env = {
    SERVER_URL: `ws://127.0.0.1:${port}`,
    REALTIME_URL: `https://127.0.0.1:${securePort}/v1`,
    NODE_EXTRA_CA_CERTS: cert,
    CLIENT_SECRET,
    OPENAI_API_KEY,
  };
  try {
    plain = await launch(program("client.mjs"), { env });
    recorded = await store.run(program("client.mjs"), { env });
    realtime = await store.run(program("realtime.mjs"), { env });
    const preload = pathToFileURL(join(programs, "breaks-recorder.mjs")).href;
    for (const BREAK of ["handshake", "message"]) {
      const command = [process.execPath, "--import", preload, ...program("client.mjs").slice(1)];
      broken.set(BREAK, await store.run(command, { env: { ...env, BREAK } }));
    }
    kept = await recordServer(store, keeps, { env }, getPaths(["one", "two"]));
  } finally {
    if (server.kill()) await once(server, "exit");
  }
}, 120_000);
afterAll(() => store.remove());

/** Counts and times of the server's are other ones in each run. */
const steady = (text: string): string => text.replaceAll(/\d{9,}|seen \d+|0\.\d+/g, "N");

const replay = (run: Recorded, name: string, ...edit: string[]): Promise<Replayed> =>
  store.replay(run.summary.run as string, [...program(name), ...edit], {
    env: { ...env, CLIENT_SECRET: "none", OPENAI_API_KEY: "sk-none" },
  });

test("what a program sends and gets over WebSockets is as without the recorder, and replays without the server", async () => {
  expect(plain.code, plain.stderr).toBe(0);
  expect(recorded).toMatchObject({ code: 0, stderr: "", summary: { complete: true } });
  expect(steady(recorded.stdout)).toBe(steady(plain.stdout));
  const { report, stdout, stderr } = await replay(recorded, "client.mjs");
  expect(report, stderr).toMatchObject({ verdict: "identical", sockets: 0, socketsRefused: 0, findings: [] });
  expect(stdout).toBe(recorded.stdout);
}, 60_000);

test.each(["handshake", "message"])(
  "a fault in the recorder's code (%s) leaves what the program prints as it is without the recorder",
  (fault) => {
    const { code, stdout, stderr } = broken.get(fault) as Recorded;
    expect(code, stderr).toBe(0);
    expect(steady(stdout)).toBe(steady(plain.stdout));
  },
);

test("a replay says which message is another one, and where in it", async () => {
  const { report } = await replay(recorded, "client.mjs", "changed");
  expect(report.verdict).toBe("diverged");
  expect(report.divergence).toMatchObject({ slot: "websocket:send|5", pointer: "/0/json/edit", now: "changed" });
});

test("OpenAI's realtime clients make a run by themselves, which replays without a key", async () => {
  expect(realtime).toMatchObject({ code: 0, stderr: "", summary: { complete: true } });
  const { steps } = readEnvelope(readFileSync(store.path(realtime.summary.run as string)));
  expect(steps.map(({ record }) => record.op).filter((op) => op === "websocket:connect")).toHaveLength(2);
  const [sent] = steps.filter(({ record }) => record.op === "websocket:send");
  expect(decodeValue(sent?.record.call?.args as string)).toMatchObject([{ json: { type: "session.update" } }]);
  const { report, stdout, stderr } = await replay(realtime, "realtime.mjs");
  expect(report.verdict, stderr).toBe("identical");
  expect(stdout).toBe(realtime.stdout);
  const { divergence } = (await replay(realtime, "realtime.mjs", "!")).report;
  expect(divergence).toMatchObject({ slot: "websocket:send|0", pointer: "/0/json/session/instructions" });
}, 60_000);

test("a request replays that uses a connection which its server has opened before", async () => {
  expect(kept.runs).toHaveLength(2);
  for (const run of kept.runs) {
    const { report, stderr } = await store.replay(run, keeps, { env });
    expect(report.verdict, stderr).toBe("identical");
  }
});

test("no file holds what was sent in clear", () => {
  const serializable = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);
  const files = globSync(`${store.folder}/**`, { dot: true } as object).filter((file) => statSync(file).isFile());
  for (const file of files) {
    const bytes = readFileSync(file);
    const inside = file.endsWith(".reenact") ? JSON.stringify(readEnvelope(bytes).spans, serializable) : "";
    const text = bytes.toString("latin1") + inside;
    expect(
      [CLIENT_SECRET, OPENAI_API_KEY, MAIL].filter((value) => text.includes(value)),
      file,
    ).toEqual([]);
  }
});
