import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maskChance } from "../../examples/scripted-provider/serial.ts";
import { startChildProvider } from "../provider/child-provider.ts";
import { type Ended, launch, Store } from "./reenact.ts";

const programs = join(import.meta.dirname, "../programs/http2");
const client = [process.execPath, join(programs, "client.mjs")];
const store = new Store();
let server: Server;
let plain: Ended;
beforeAll(async () => {
  server = await startServer();
  plain = await launch(client, { env: server.env });
  expect(plain.code, plain.stderr).toBe(0);
});
afterAll(async () => {
  await server.stop();
  store.remove();
});

const CLIENT_SECRET = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o525KUZH";
const SECRETS = ["header.person@example.org", "trailer.person@example.org", "body.person@example.org"];

interface Server {
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

async function startServer(): Promise<Server> {
  const child = spawn(process.execPath, [join(programs, "server.mjs")], {
    env: { ...process.env, SECRETS: SECRETS.join() },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    env: { SERVER_URL: `http://127.0.0.1:${port}`, CLIENT_SECRET },
    stop: async () => {
      if (child.kill()) await once(child, "exit");
    },
  };
}

/**
 * Streams of one session may end in another order, an aborted one with other bytes, and a server's farewell may come after the
 * session's own end: as they do without the recorder.
 */
const lines = (text: string): string[] =>
  text
    .replaceAll(/drawn \d+/g, "drawn N")
    .split("\n")
    .filter((line) => !/^\/(?:long|half) .* 8 |^\w+ goaway 0$/.test(line))
    .toSorted();

test.each(["frames", "headers", "socket", "request"])(
  "a fault in the recorder's code (%s) leaves what the program prints as it is without the recorder",
  async (BREAK) => {
    const preload = pathToFileURL(join(programs, "breaks-recorder.mjs")).href;
    const command = [process.execPath, "--import", preload, ...client.slice(1)];
    const recorded = await store.run(command, { env: { ...server.env, BREAK } });
    expect(recorded.code, recorded.stderr).toBe(0);
    expect(recorded.stderr).toMatch(/^reenact: recorder fault in http2: /m);
    expect(lines(recorded.stdout)).toEqual(lines(plain.stdout));
  },
  60_000,
);

test("sessions and streams that end in each way are recorded unchanged, replay the same, and hold no secret", async () => {
  const recorded = await store.run(client, { env: server.env });
  const withSecrets = { ...server.env, ASK_SECRETS: "1" };
  const secret = await store.run(client, { env: withSecrets });
  expect(recorded).toMatchObject({ code: 0, stderr: "", summary: { complete: true } });
  expect(lines(recorded.stdout)).toEqual(lines(plain.stdout));
  const replayed = await store.replay(recorded.summary.run as string, client, { env: server.env });
  expect(replayed.report.verdict, replayed.stderr).toBe("identical");
  expect(replayed.stdout).toBe(recorded.stdout);

  const { steps } = readEnvelope(readFileSync(store.path(secret.summary.run as string)));
  const answer = steps.find(({ record }) => record.exchange?.request.url.endsWith("/secret"))?.record.exchange;
  expect(answer?.response?.headers.map(([name]) => name)).toEqual(
    expect.arrayContaining(["x-contact", "set-cookie", "content-type"]),
  );
  const trailed = steps.find(({ record }) => record.exchange?.request.url.endsWith("/trailers"))?.record.exchange;
  expect(trailed?.response?.trailers?.map(([name]) => name)).toEqual(["grpc-status", "x-contact"]);
  const files = globSync(`${store.folder}/**`, { dot: true } as object).filter((file) => statSync(file).isFile());
  for (const file of files) {
    const text = textsOf(file);
    expect(
      [CLIENT_SECRET, ...SECRETS].filter((value) => text.includes(value)),
      file,
    ).toEqual([]);
  }
}, 120_000);

const serializable = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/** A file as it is, and what an envelope in it holds. */
function textsOf(file: string): string {
  const bytes = readFileSync(file);
  const inside = file.endsWith(".reenact") ? JSON.stringify(readEnvelope(bytes).spans, serializable) : "";
  const coded = inside.replaceAll(/[A-Za-z0-9+/]{24,}={0,2}/g, (text) =>
    Buffer.from(text, "base64").toString("latin1"),
  );
  return bytes.toString("latin1") + inside + coded;
}

test("answers that end early, are cut, or are of another protocol reach the program as without the recorder", async () => {
  const asked = [process.execPath, join(programs, "early-ends.mjs")];
  const servers = spawn(process.execPath, [join(programs, "early-servers.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [SERVERS] = (await once(createInterface({ input: servers.stdout }), "line")) as [string];
  try {
    const alone = await launch(asked, { env: { SERVERS } });
    expect(alone.stdout.split("\n"), alone.stderr).toHaveLength(5);
    const recorded = await store.run(asked, { env: { SERVERS } });
    expect(recorded).toMatchObject({ code: 0, stderr: "", stdout: alone.stdout });
  } finally {
    servers.kill();
  }
}, 60_000);

test("a request that is not sent whole replays, and another path, header or trailer is told", async () => {
  const asked = [process.execPath, join(programs, "unsent.mjs")];
  const alone = await launch(asked, { env: server.env });
  const recorded = await store.run(asked, { env: server.env });
  expect(recorded).toMatchObject({ code: 0, stderr: "", stdout: alone.stdout, summary: { complete: true } });
  const run = recorded.summary.run as string;
  const replayed = await store.replay(run, asked, { env: server.env });
  expect(replayed.report.verdict, replayed.stderr).toBe("identical (4 values by place)");
  expect(replayed.report.notes.join()).toContain("the body of a request that was not sent whole is not compared");
  expect(replayed.stdout).toBe(recorded.stdout);
  const edits = { path: "/:path", trailer: "/x-sum", unended: "" };
  for (const [edit, pointer] of Object.entries(edits)) {
    const { report } = await store.replay(run, [...asked, edit], { env: server.env });
    expect(report.divergence, edit).toMatchObject({ verdict: "changed", pointer });
  }
}, 60_000);

test("of an exchange that is over a session holds nothing", async () => {
  const command = [process.execPath, "--expose-gc", join(programs, "many-requests.mjs")];
  const recorded = await store.run(command, { env: server.env });
  expect(recorded.summary.runs).toHaveLength(60);
  // the bodies have 18 MB
  expect(Number(recorded.stdout)).toBeLessThan(9);
}, 60_000);

test("calls of Bedrock that fail are recorded unchanged and replay the same without the provider", async () => {
  const provider = await startChildProvider({ log: join(store.folder, "bedrock.jsonl") });
  const ACCESS_KEY = "AKIAQ3EXAMPLE7CANARY";
  const TOKEN = "FwoGZXIvYXdzEJr-canary-token-0123456789abcdef";
  const env = { PROVIDER_URL: provider.url, ACCESS_KEY, TOKEN };
  const command = [process.execPath, join(programs, "bedrock-failures.mjs")];
  const alone = await launch(command, { env });
  expect(alone.code, alone.stderr).toBe(0);
  const recorded = await store.run(command, { env });
  await provider.stop();
  expect(recorded).toMatchObject({ code: 0, stderr: "", summary: { complete: true } });
  expect(maskChance(recorded.stdout)).toBe(maskChance(alone.stdout));
  const run = recorded.summary.run as string;
  const replayed = await store.replay(run, command, { env });
  expect(replayed.report.verdict, replayed.stderr).toBe("identical");
  expect(replayed.stdout).toBe(recorded.stdout);
  const { steps } = readEnvelope(readFileSync(store.path(run)));
  expect(steps.every(({ record }) => record.op.startsWith("bedrock."))).toBe(true);
  expect(new Set(steps.map(({ record }) => record.exchange?.via))).toEqual(new Set(["http", "http2"]));
  const text = textsOf(store.path(run));
  for (const value of [ACCESS_KEY, TOKEN]) expect(text).not.toContain(value);
}, 120_000);
