import childProcess from "node:child_process";
import { once } from "node:events";
import dgram from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as Sqlite from "node:sqlite";
import v8 from "node:v8";
import vm from "node:vm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { live, within } from "../run/context.ts";
import { recordingRun } from "../ambient/fake-replay.test.fixture.ts";
import { installOrderedOperations } from "../ambient/operations/ordered-operations.ts";
import { installLeaks } from "./leaks.ts";
import { forgetWrites } from "./database-writes.ts";
import { openDatabase } from "./databases.ts";
import { watchListening } from "../transport/own-ports.ts";

const folder = fs.mkdtempSync(join(tmpdir(), "leaks-"));
const at = (name: string): string => join(folder, name);
let undo: (() => void)[];
beforeEach(() => {
  undo = [installOrderedOperations(), installLeaks(), forgetWrites];
});
afterEach(() => {
  for (const u of undo.reverse()) u();
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

function heapAfterCollection(): number {
  v8.setFlagsFromString("--expose-gc");
  (vm.runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

/** `kind target ×count` of what a piece of program leaks. */
async function leaksOf(program: () => unknown): Promise<string[]> {
  const run = recordingRun();
  await within(run.frame, async () => program());
  return run.leaks
    .list()
    .map(({ kind, target, count }) => `${kind} ${target.replaceAll(folder, "~")}${count > 1 ? ` ×${count}` : ""}`);
}

test("files, by path, once per call however they are done", async () => {
  const seen = await leaksOf(async () => {
    fs.writeFileSync(at("a"), Buffer.from("a"));
    fs.readFileSync(at("a"));
    fs.readFileSync(at("a"), "utf8");
    await fs.promises.appendFile(at("b"), "b");
    await new Promise((resolve) => fs.readFile(at("b"), resolve));
    fs.closeSync(fs.openSync(at("c"), "w"));
    await (await fs.promises.open(at("c"), fs.constants.O_RDONLY)).close();
    await once(fs.createReadStream(at("b")).resume(), "close");
    await once(fs.createWriteStream(at("d")).end("d"), "close");
    fs.copyFileSync(at("a"), at("e"));
    fs.renameSync(at("e"), at("f"));
    fs.readdirSync(folder);
    fs.rmSync(at("f"));
    fs.existsSync(at("a"));
    fs.writeFileSync("/dev/null", "");
    const fd = fs.openSync("/dev/null", "w");
    fs.writeSync(fd, "x");
    fs.closeSync(fd);
  });
  expect(seen).toEqual([
    "write ~/a",
    "read ~/a ×3",
    "write ~/b",
    "read ~/b ×2",
    "write ~/c",
    "read ~/c",
    "write ~/d",
    "write ~/e ×2",
    "write ~/f ×2",
    "read ~",
  ]);
});

test("loading a module is no read; nor is our own work", async () => {
  fs.writeFileSync(at("m.mjs"), "export default 1");
  fs.writeFileSync(at("m.cjs"), "module.exports = require('./m.json')");
  fs.writeFileSync(at("m.json"), "1");
  const require = createRequire(at("x.js"));
  const seen = await leaksOf(async () => {
    expect(require("./m.cjs")).toBe(1);
    await import(/* @vite-ignore */ at("m.mjs"));
    live(() => fs.readFileSync(at("m.json")));
  });
  expect(seen).toEqual([]);
});

test("sockets, look-ups and datagrams", async () => {
  const server = net.createServer((s) => s.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const seen = await leaksOf(async () => {
    const socket = net.connect(port, "localhost").resume();
    await once(socket, "close");
    await once(new net.Socket().connect(at("none.sock")), "error").catch(() => {});
    dns.lookup("nothing.invalid", () => {});
    dns.lookup("localhost", () => {});
    await dns.promises.lookup("127.0.0.1");
    await new dns.promises.Resolver({ timeout: 1, tries: 1 }).resolve4("other.invalid").catch(() => {});
    dgram.createSocket("udp4").close();
  });
  server.close();
  expect(seen).toEqual([
    `socket localhost:${port}`,
    "socket ~/none.sock",
    "dns nothing.invalid",
    "dns other.invalid",
    "udp udp4",
  ]);
});

test("connections to the program's own ports stay inside it", async () => {
  const unwatch = watchListening(() => {});
  const server = net.createServer((s) => s.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  expect(await leaksOf(async () => once(net.connect(port, "127.0.0.1").resume(), "close"))).toEqual([]);
  server.close();
  unwatch();
});

const { DatabaseSync } = createRequire(at("x.js"))("node:sqlite") as typeof Sqlite;
const openSqlite = (path: string, options: { readOnly?: boolean } = {}): Sqlite.DatabaseSync =>
  openDatabase(path, options.readOnly === true, DatabaseSync as never, () => new DatabaseSync(path, options));

test("database files, not those in memory", async () => {
  const seen = await leaksOf(async () => {
    const file = openSqlite(at("data.db"));
    file.exec("create table t (a)");
    file.close();
    openSqlite(":memory:").close();
    openSqlite(at("data.db"), { readOnly: true }).close();
  });
  expect(seen).toEqual(["write database ~/data.db", "read database ~/data.db"]);
});

test("statements of node:sqlite: writes are noted, and nothing is kept for each one", async () => {
  const run = recordingRun();
  const scopes = (): number[] => [...(run.databases.list()[0]?.scopes ?? [])];
  await within(run.frame, async () => {
    const database = openSqlite(at("statements.db"));
    database.exec("create table t (a); insert into t values (1)");
    expect(scopes()).toEqual([-1]);
    const heap = heapAfterCollection();
    for (let n = 0; n < 20_000; n++) database.prepare("select a from t").get();
    expect(heapAfterCollection() - heap).toBeLessThan(2_000_000);
    const ended = database.prepare("select a from t");
    database.close();
    expect(() => ended.get()).toThrow("statement has been finalized");
  });
  const reader = recordingRun();
  await within(reader.frame, async () => {
    const database = openSqlite(at("statements.db"));
    const scopesNow = (): number[] => [...(reader.databases.list()[0]?.scopes ?? [])];
    database.prepare("select a from t").all();
    expect(scopesNow()).toEqual([]);
    database.prepare("update t set a = 2 where a = 77").run();
    expect(scopesNow()).toEqual([-1]);
    database.close();
  });
});

test("outside a run nothing is counted, and the undo restores everything", () => {
  const { readFileSync } = fs;
  expect(readFileSync.name).toBe("readFileSync");
  expect(readFileSync.length).toBe(2);
  expect(childProcess.execSync.length).toBe(2);
  for (const u of undo.reverse()) u();
  expect(fs.readFileSync).not.toBe(readFileSync);
  undo = [];
});
