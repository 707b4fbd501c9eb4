import childProcess, { ChildProcess } from "node:child_process";
import cluster from "node:cluster";
import dgram from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installGuard } from "./guard.ts";
import { RefusedEffect } from "./refused-effect.ts";

const refused: string[] = [];
const deaths: string[] = [];
const datagrams: string[] = [];
let undo: () => void;

beforeEach(() => {
  refused.length = 0;
  undo = installGuard({
    applies: () => true,
    onDatagram: (target) => void datagrams.push(target),
    threadPreload: null,
    onOwnDeath: (signal) => void deaths.push(signal),
    refuse(kind, target) {
      refused.push(`${kind} ${target}`);
      return new RefusedEffect(kind, target);
    },
  });
});
afterEach(() => undo());

test("a signal for another process is refused: whose number was recorded may be anybody by now", () => {
  expect(() => process.kill(1, "SIGTERM")).toThrow(RefusedEffect);
  expect(() => process.kill(-1, 9)).toThrow(RefusedEffect);
  expect(refused).toEqual(["signal SIGTERM to process 1", "signal SIGKILL to process -1"]);
  expect(process.kill(process.ppid, 0)).toBe(true);
});

test("a signal for itself is not sent: the record has it, or the program ends by it", async () => {
  let heard = 0;
  const listener = (): void => void heard++;
  process.on("SIGUSR2", listener);
  expect(process.kill(process.pid, "SIGUSR2")).toBe(true);
  process.off("SIGUSR2", listener);
  process.kill(process.pid, "SIGWINCH");
  expect(deaths).toEqual([]);
  process.kill(process.pid, "SIGUSR2");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([heard, deaths]).toEqual([0, ["SIGUSR2"]]);
  expect(() => process.kill(process.pid, "SIGNONE" as never)).toThrow("Unknown signal");
});

test("no child process is started, in whatever way it is asked for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guard-"));
  const script = join(folder, "child.cjs");
  const trace = join(folder, "trace");
  writeFileSync(script, `require("fs").writeFileSync(${JSON.stringify(trace)}, "")`);
  const [node, line] = [process.execPath, `"${process.execPath}" "${script}"`];
  const ways: Record<string, () => unknown> = {
    spawn: () => childProcess.spawn(node, [script]),
    spawnSync: () => childProcess.spawnSync(node, [script]),
    exec: () => childProcess.exec(line),
    execSync: () => childProcess.execSync(line),
    execFile: () => childProcess.execFile(node, [script], () => {}),
    execFileSync: () => childProcess.execFileSync(node, [script]),
    fork: () => childProcess.fork(script),
    "promised exec": () => promisify(childProcess.exec)(line),
    "promised execFile": () => promisify(childProcess.execFile)(node, [script]),
    "promise of its own": () =>
      (childProcess.execFile as unknown as Record<symbol, (...args: unknown[]) => unknown>)[promisify.custom]?.(node, [
        script,
      ]),
    "cluster.fork": () => {
      cluster.setupPrimary({ exec: script });
      return cluster.fork();
    },
    ChildProcess: () =>
      (new ChildProcess() as unknown as { spawn(options: object): unknown }).spawn({
        file: node,
        args: [node, script],
      }),
  };
  try {
    for (const [name, start] of Object.entries(ways)) {
      await expect((async () => start())(), name).rejects.toThrow(RefusedEffect);
      expect(refused.splice(0), name).toHaveLength(1);
    }
    await sleep(300);
    expect(existsSync(trace)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a datagram goes nowhere, and its sender is told that it has gone", async () => {
  const server = dgram.createSocket("udp4");
  let packets = 0;
  server.on("message", () => void packets++);
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  const socket = dgram.createSocket("udp4");
  try {
    const sent = (...args: unknown[]) =>
      new Promise((resolve) => {
        Reflect.apply(socket.send, socket, [...args, (error: unknown, bytes: number) => resolve([error, bytes])]);
      });
    expect(await sent("abcd", port, "127.0.0.1")).toEqual([null, 4]);
    expect(await sent(Buffer.from("abcd"), 1, 2, port, "127.0.0.1")).toEqual([null, 2]);
    expect(await sent(["ab", Buffer.from("c")], port)).toEqual([null, 3]);
    socket.send("abcd", port, "127.0.0.1");
    expect(datagrams).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`, String(port), `127.0.0.1:${port}`]);
    await sleep(100);
    expect([packets, refused]).toEqual([0, []]);
  } finally {
    server.close();
    socket.close();
  }
});

test("no name is looked up, in whatever way it is asked for", async () => {
  const server = dgram.createSocket("udp4");
  let packets = 0;
  server.on("message", () => void packets++);
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const servers = [`127.0.0.1:${server.address().port}`];
  const before = dns.getServers();
  const promised = new dns.promises.Resolver({ timeout: 50, tries: 1 });
  const called = new dns.Resolver({ timeout: 50, tries: 1 });
  for (const each of [promised, called]) each.setServers(servers);
  const asked = (ask: (done: (error: unknown) => void) => void): Promise<never> =>
    new Promise((_, reject) => ask(reject));
  try {
    dns.setServers(servers);
    dns.promises.setServers(servers);
    const ways: Record<string, () => Promise<unknown>> = {
      "promised resolver": () => promised.resolve4("name.invalid"),
      "promised resolver, any type": () => promised.resolve("name.invalid", "MX"),
      resolver: () => asked((done) => called.resolveTxt("name.invalid", done)),
      "resolver, back": () => asked((done) => called.reverse("192.0.2.1", done)),
      "after setServers": () => asked((done) => dns.resolve4("name.invalid", done)),
      "promised after setServers": () => dns.promises.resolve4("name.invalid"),
      "service of an address": () => asked((done) => dns.lookupService("192.0.2.1", 80, done)),
      back: () => dns.promises.reverse("192.0.2.1"),
      "rare type": () => dns.promises.resolveNaptr("name.invalid"),
      lookup: () => dns.promises.lookup("name.invalid"),
    };
    for (const [name, ask] of Object.entries(ways)) {
      await expect(ask(), name).rejects.toThrow(RefusedEffect);
      expect(refused.splice(0), name).toHaveLength(1);
    }
    expect((await dns.promises.lookup("127.0.0.1")).address).toBe("127.0.0.1");
    await sleep(100);
    expect([packets, refused]).toEqual([0, []]);
  } finally {
    dns.setServers(before);
    dns.promises.setServers(before);
    server.close();
  }
});
