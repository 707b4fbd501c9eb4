import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bin as cli, launch } from "./reenact.ts";
import { recordDesk, requestOf, until } from "./running-collector.ts";

const bin = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "reenact-program-"))));
afterEach(async () => {
  for (const child of children.splice(0)) await end(child, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  line: Record<string, unknown>;
  http: string;
  log(): string;
}

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { VITEST: _v, NODE_OPTIONS: _n, ...rest } = process.env;
  return {
    ...rest,
    REENACT_COLLECTOR_DATA: join(folder, "data"),
    REENACT_COLLECTOR_STORE: join(folder, "store"),
    REENACT_COLLECTOR_LISTEN_PORT: "0",
    REENACT_COLLECTOR_PACK_AGE: "1ms",
    ...more,
  };
}

/** Starts the program and waits for its line. */
async function start(command: readonly string[], more: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, command, {
    env: environment(more),
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let out = "";
  let err = "";
  child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (err += piece.toString()));
  await until("the line that says it is ready", async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${err}`);
    return out.includes("\n");
  });
  const line = JSON.parse(out) as Record<string, unknown>;
  return { child, line, http: String(line["http"] ?? line["otlpHttp"]), log: () => err };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("close", (code) => resolve(code));
    child.kill(signal);
  });
}

async function send(http: string, body: Uint8Array, key?: string): Promise<number> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf", ...authorization },
    body: Buffer.from(body),
  });
  await response.arrayBuffer();
  return response.status;
}

async function sealedEnvelope(http: string, desk: Envelope): Promise<Envelope> {
  const url = `${http}/api/v1/runs/${desk.id}/envelope`;
  const response = await until("the sealed envelope", async () => {
    const answer = await fetch(url);
    return answer.status === 200 ? answer : null;
  });
  return readEnvelope(new Uint8Array(await response.arrayBuffer()));
}

test("it says in one line where it is, keeps what it acknowledged over a kill -9, and ends with 0 after SIGTERM", async () => {
  const desk = await recordDesk();
  const first = await start([bin]);
  expect(first.line).toMatchObject({
    schemaVersion: 1,
    pid: first.child.pid,
    store: join(folder, "store"),
    grpc: null,
  });
  expect(await send(first.http, requestOf(desk))).toBe(200);
  await end(first.child, "SIGKILL");

  const second = await start([bin]);
  const envelope = await sealedEnvelope(second.http, desk);
  expect(envelope.header.content).toBe(desk.header.content);
  expect(await end(second.child, "SIGTERM")).toBe(0);
  for (const line of second.log().trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("event");
  expect(second.log()).not.toContain('"level":"error"');
});

test("gRPC, keys and a file of settings", async () => {
  const key = "rk_test-key-of-some-length";
  const keys = {
    keys: [{ name: "ci", sha256: createHash("sha256").update(key).digest("hex"), scopes: ["ingest"], tenant: "a" }],
  };
  writeFileSync(join(folder, "keys.json"), JSON.stringify(keys));
  writeFileSync(
    join(folder, "collector.yaml"),
    `keys: ${join(folder, "keys.json")}\nlisten: { grpcPort: 0 }\nlog: warn\n`,
  );
  const started = await start([bin, "--config", join(folder, "collector.yaml")]);
  expect(started.line["grpc"]).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
  expect(await send(started.http, new Uint8Array())).toBe(401);
  expect(await send(started.http, new Uint8Array(), key)).toBe(200);
  const read = await fetch(`${started.http}/api/v1/runs`, { headers: { authorization: `Bearer ${key}` } });
  expect([read.status, await read.json()]).toMatchObject([403, { error: { code: "FORBIDDEN" } }]);
  expect(await end(started.child, "SIGINT")).toBe(0);
});

/** A module that makes packages of this scope as absent as where nobody has installed them. */
function withoutPackages(scope: string): string {
  const code = `import { registerHooks } from "node:module";
    registerHooks({ resolve: (name, context, next) => {
      if (name.startsWith(${JSON.stringify(scope)})) throw Object.assign(new Error("no " + name), { code: "ERR_MODULE_NOT_FOUND" });
      return next(name, context);
    } });`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

test("what is wrong is told in one line with what to do, and nothing is started", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  writeFileSync(join(folder, "a-file"), "");
  const refusals: [Record<string, string>, number, RegExp][] = [
    [
      { REENACT_COLLECTOR_LISTEN_PORT: String(port) },
      5,
      new RegExp(`^PORT_BUSY: .*:${port} is in use by .+\\(pid ${process.pid}\\); next: `),
    ],
    [{ REENACT_COLLECTOR_LISTEN_HOST: "0.0.0.0" }, 3, /^UNSAFE_BIND: .*no keys.*; next: /],
    [{ REENACT_COLLECTOR_COLOUR: "red" }, 3, /^BAD_CONFIG: REENACT_COLLECTOR_COLOUR is no setting; next: /],
    [
      { REENACT_COLLECTOR_PACK_AGE: "long" },
      3,
      /^BAD_CONFIG: configuration: REENACT_COLLECTOR_PACK_AGE: is no duration.*; next: /,
    ],
    [{ REENACT_COLLECTOR_CONFIG: "/nowhere.yaml" }, 3, /^BAD_CONFIG: configuration \(\/nowhere.yaml\): ENOENT/],
    [{ REENACT_COLLECTOR_DATA: join(folder, "a-file", "data") }, 5, /^BAD_DATA_FOLDER: data folder .*: ENOTDIR/],
    [{ REENACT_COLLECTOR_STORE: "s3://Not A Bucket" }, 5, /^NO_BUCKET: /],
    [
      { REENACT_COLLECTOR_STORE: "s3://runs", NODE_OPTIONS: `--import=${withoutPackages("@aws-sdk/")}` },
      5,
      /^NO_DRIVER: .* not installed; next: npm install @aws-sdk\/client-s3 @aws-sdk\/lib-storage$/,
    ],
    [{ REENACT_COLLECTOR_KEYS: "/nowhere.json" }, 3, /^BAD_CONFIG: keys: \/nowhere.json/],
  ];
  try {
    for (const [env, code, line] of refusals) {
      const ended = await launch([process.execPath, bin], { env: { ...environment(), ...env }, cwd: folder });
      const told = ended.stderr.split("\n").filter((each) => each !== "" && !each.startsWith("{"));
      expect([ended.code, told.length, ended.stdout], ended.stderr).toEqual([code, 1, ""]);
      expect(told[0]).toMatch(line);
    }
  } finally {
    server.close();
  }
}, 120_000);

test("reenact up is the same collector, with its own line", async () => {
  const desk = await recordDesk();
  const started = await start([cli, "up", "--json", "--port", "0", "--store", join(folder, "up")]);
  expect(started.line).toMatchObject({ schemaVersion: 1, pid: started.child.pid, ui: `${started.http}/` });
  expect(started.line["otlpHttp"]).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
  expect(await send(started.http, requestOf(desk))).toBe(200);
  expect((await sealedEnvelope(started.http, desk)).header.content).toBe(desk.header.content);
  expect(await end(started.child, "SIGTERM")).toBe(0);

  const busy = await start([cli, "up", "--json", "--port", "0", "--store", join(folder, "other")]);
  const { port } = new URL(busy.http);
  const second = await launch([process.execPath, cli, "up", "--port", port, "--store", join(folder, "third")], {
    env: environment(),
  });
  expect(second.code).toBe(5);
  expect(second.stderr).toContain(`(pid ${busy.child.pid})`);
});

test("who read its log goes away: it goes on", async () => {
  const desk = await recordDesk();
  const { child, http } = await start([bin], { REENACT_COLLECTOR_LOG: "debug" });
  expect(await send(http, requestOf(desk))).toBe(200);
  await sealedEnvelope(http, desk);
  child.stderr!.destroy();
  child.stdout!.destroy();
  // each read of a payload is a line of the log
  for (let n = 0; n < 5; n++) await sealedEnvelope(http, desk);
  expect(await send(http, requestOf(desk))).toBe(200);
  expect(await end(child, "SIGTERM")).toBe(0);
});

test("without work it ends at once: new, after traffic, and over a journal whose end is damaged", async () => {
  const desk = await recordDesk();
  const quickly = async (child: ChildProcess) => {
    const begun = performance.now();
    expect(await end(child, "SIGTERM")).toBe(0);
    // Whoever waits for what never comes does so for ten seconds.
    expect(performance.now() - begun).toBeLessThan(5000);
  };
  await quickly((await start([bin])).child);

  const used = await start([bin]);
  expect(await send(used.http, requestOf(desk))).toBe(200);
  await sealedEnvelope(used.http, desk);
  await quickly(used.child);
  await quickly((await start([bin])).child);

  const killed = await start([bin]);
  expect(await send(killed.http, requestOf(desk))).toBe(200);
  await end(killed.child, "SIGKILL");
  const segment = globSync(join(folder, "data", "journal", "*.journal"))
    .toSorted()
    .at(-1)!;
  appendFileSync(segment, Buffer.alloc(640, 0xa5));
  await quickly((await start([bin])).child);
  await quickly((await start([bin])).child);
});

test("a login link signs one browser in, to read, and is written only where it is asked for", async () => {
  const keys = join(folder, "keys.json");
  const sha256 = createHash("sha256").update("a key for reading").digest("hex");
  writeFileSync(
    keys,
    JSON.stringify({ keys: [{ name: "reader", sha256, scopes: ["read", "admin"], tenant: "shop" }] }),
  );
  const more = { REENACT_COLLECTOR_KEYS: keys };
  const quiet = await start([bin], more);
  await end(quiet.child, "SIGTERM");
  expect(quiet.log()).not.toContain("login");
  const { http, log } = await start([bin, "--login-link"], more);
  const link = /sign in to shop, .*: (http:\S+)\/#login=([\w-]{43})\n/;
  await until("the link is written", async () => link.test(log()));
  const [, origin, code] = link.exec(log())!;
  expect(origin).toBe(http);
  const redeem = (headers: Record<string, string> = {}) =>
    fetch(`${http}/api/v1/signin/link`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ code }),
    });
  expect((await redeem({ origin: "https://evil.example" })).status).toBe(403);
  expect((await redeem({ "content-type": "text/plain" })).status).toBe(400);
  const first = await redeem();
  expect(await first.json()).toMatchObject({ key: "login-link", project: "shop", scopes: ["read"] });
  const cookie = first.headers.get("set-cookie")!;
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  const again = await redeem();
  expect([again.status, await again.json()]).toMatchObject([403, { error: { code: "NO_LINK" } }]);
  expect(again.headers.get("set-cookie")).toBeNull();
  const status = async (path: string) =>
    (await fetch(`${http}/api/v1${path}`, { headers: { cookie: cookie.split(";")[0]! } })).status;
  expect([await status("/runs"), await status("/settings"), (await fetch(`${http}/api/v1/runs`)).status]).toEqual([
    200, 403, 401,
  ]);
  // the code is in no line of the log
  expect(
    log()
      .split("\n")
      .filter((line) => line.includes(code!)),
  ).toHaveLength(1);
}, 30_000);
