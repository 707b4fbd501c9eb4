// Does much of each kind of thing that a recorder may keep, and writes how much memory the second half has added, in KiB per kind.
// argv[2]: file of the answer; argv[3]: where tool() and step() come from, or "none"; argv[4]: "idle" (no agentic step) or "active";
// argv[5]: how many times as much; argv[6]: the one kind to do
import { spawn } from "node:child_process";
import { once } from "node:events";
import crypto from "node:crypto";
import dgram from "node:dgram";
import dns from "node:dns/promises";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { MessageChannel, Worker } from "node:worker_threads";
import zlib from "node:zlib";

const [, , answer, wrappers, mode, scale, only] = process.argv;
const bare = { tool: (_, fn) => fn, step: (_, fn) => fn() };
const { tool, step } = wrappers === "none" ? bare : await import(wrappers);
const folder = fs.mkdtempSync(join(tmpdir(), "bounded-"));
const file = join(folder, "file");
fs.writeFileSync(file, "x".repeat(1000));

const server = http.createServer((request, response) => {
  if (request.url === "/drop") return request.socket.destroy();
  request.resume().on("end", () => {
    for (let i = 0; i < 8; i++) response.write(Buffer.alloc(8192, `part ${i} `));
    response.end();
  });
});
const echo = net.createServer((socket) => socket.on("error", () => {}).end("hello"));
await Promise.all([server, echo].map((each) => once(each.listen(0, "127.0.0.1"), "listening")));
for (const each of [server, echo]) each.unref();
const url = `http://127.0.0.1:${server.address().port}/`;
// time-outs of signals keep no process alive
setInterval(() => {}, 1e6);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

const deep = (depth) => Array.from({ length: depth }).reduce((inner) => ({ inner }), "core");
const large = (n) => Array.from({ length: n }, (_, i) => ({ id: i, text: `row ${i}` }));
const cut = tool("cut", (n) => n);
const takes = tool("takes", (value) => JSON.stringify(value).length);
const gives = tool("gives", (n) => large(n));
const late = tool("late", async (n) => {
  await turn();
  return n;
});
const fails = tool("fails", (n) => {
  throw Object.assign(new TypeError(`failure ${n}`), { n });
});
const streams = tool("streams", async function* (n) {
  for (let i = 0; i < 10; i++) yield `${n} ${i}`.repeat(20);
});
const fetches = tool("fetches", async () => (await (await fetch(url)).arrayBuffer()).byteLength);
const many = (times, fn) => async () => {
  for (let i = 0; i < times * Number(scale); i++) await fn(i);
};
/** `fn` is not waited for: nothing else goes on meanwhile. */
const quick = (times, fn) => async () => {
  for (let i = 0; i < times * Number(scale); i++) {
    fn(i);
    if (i % 1000 === 999) {
      if (mode === "active") cut(i);
      await turn();
    }
  }
};

const idle = {
  clock: quick(100_000, () => Date.now() + performance.now() + Number(process.hrtime.bigint()) + new Date().getTime()),
  random: quick(100_000, () => Math.random()),
  "random bytes": quick(20_000, () => crypto.randomBytes(64)),
  "random integers": quick(50_000, () => crypto.randomInt(1000)),
  uuid: quick(100_000, () => crypto.randomUUID()),
  "random values": quick(20_000, () => crypto.getRandomValues(new Uint8Array(64))),
  environment: quick(50_000, (i) => process.env[`BOUNDED_${i}`]),
  "names of the environment": quick(500, () => Object.keys(process.env)),
  "memory and load": quick(5000, () => [process.memoryUsage.rss(), process.cpuUsage(), process.uptime()]),
  "timers that fire": many(1500, () => sleep(0)),
  "timers that are cleared": quick(50_000, (i) => clearTimeout(setTimeout(() => {}, i))),
  "intervals that are cleared": quick(50_000, () => clearInterval(setInterval(() => {}, 1000))),
  immediates: many(10_000, () => turn()),
  "ticks and microtasks": many(20_000, () => new Promise((resolve) => process.nextTick(() => queueMicrotask(resolve)))),
  "time-outs of signals": quick(20_000, () => AbortSignal.timeout(100_000)),
  "time-outs that fire": many(300, () => once(AbortSignal.timeout(1), "abort")),
  "file stats": many(5000, () => fs.promises.stat(file)),
  "file stats, at once": quick(20_000, () => fs.statSync(file)),
  "files that are read": many(2000, () => fs.promises.readFile(file)),
  "files that are read at once": quick(5000, () => fs.readFileSync(file, "utf8")),
  "files that are written": many(1000, (i) => fs.promises.writeFile(file, `${i}`)),
  "files of many names": quick(3000, (i) => fs.writeFileSync(join(folder, `f${i}`), "x")),
  "files that are streamed": many(500, async () => {
    for await (const _ of fs.createReadStream(file));
  }),
  "failing file calls": many(3000, (i) => fs.promises.stat(`/nowhere/${i}`).catch(() => {})),
  zlib: many(1000, () => promisify(zlib.gzip)("x".repeat(1000))),
  digests: many(3000, () => crypto.subtle.digest("SHA-256", Buffer.from("x"))),
  "output lines": quick(20_000, (i) => process.stderr.write(`line ${i}\n`)),
  "steps of the program's own": many(5000, (i) => step("own", () => ({ i }))),
  "errors and their stacks": quick(20_000, (i) => new Error(`error ${i}`).stack.length),
  "HTTP bodies": many(150, async () => (await fetch(url)).arrayBuffer()),
  "HTTP bodies that are sent": many(100, async () =>
    (await fetch(url, { method: "POST", body: Buffer.alloc(65536) })).text(),
  ),
  "HTTP bodies by chunks": many(100, async () => {
    for await (const _ of (await fetch(url)).body);
  }),
  "HTTP bodies that are left": many(150, async () => (await fetch(url)).body.cancel()),
  "requests of node:http": many(150, async () => {
    const [response] = await once(http.get(url, { agent }), "response");
    for await (const _ of response);
  }),
  "requests that fail": many(300, () => fetch(`${url}drop`).catch(() => {})),
  "requests that are given up": many(300, () => {
    const controller = new AbortController();
    const sent = fetch(url, { signal: controller.signal }).catch(() => {});
    controller.abort();
    return sent;
  }),
  sockets: many(300, async () => {
    const socket = net.connect(echo.address().port, "127.0.0.1");
    socket.resume();
    await once(socket, "close");
  }),
  datagrams: many(300, async () => {
    const socket = dgram.createSocket("udp4");
    socket.send("x", 9, "127.0.0.1", () => socket.close());
    await once(socket, "close");
  }),
  "look-ups": many(1000, () => dns.lookup("localhost")),
  messages: many(2000, async () => {
    const { port1, port2 } = new MessageChannel();
    port1.postMessage("x");
    await once(port2, "message");
    port1.close();
  }),
  workers: many(8, async (i) => {
    const worker = new Worker(`require("node:worker_threads").parentPort.postMessage(${i})`, { eval: true });
    await once(worker, "exit");
  }),
  children: many(8, async () => {
    await once(spawn(process.execPath, ["--version"], { stdio: "ignore" }), "exit");
  }),
};

const active = {
  ...idle,
  "tool calls": many(3000, (i) => cut(i)),
  "late tool calls": many(1000, (i) => late(i)),
  "tool calls that fail": many(1000, (i) => {
    try {
      fails(i);
    } catch {
      // as it is to be
    }
  }),
  "tool calls with large arguments": many(20, () => takes(large(20_000))),
  "tool calls with long texts": many(20, () => takes("t".repeat(1_000_000))),
  "tool calls with deep values": many(50, () => takes(deep(2000))),
  "tool calls with large results": many(20, () => gives(20_000).length),
  "tool calls that yield": many(200, async (i) => {
    for await (const _ of streams(i));
  }),
  "tool calls with a body": many(100, () => fetches()),
  "tools of many names": many(1000, (i) => tool(`tool ${i}`, () => i)()),
};

const used = async () => {
  let least = Infinity;
  for (let i = 0; i < 6; i++) {
    await sleep(20);
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least / 1024;
};

if (mode === "active") cut(-1);
const grown = {};
for (const [kind, run] of Object.entries(mode === "active" ? active : idle)) {
  if (only !== undefined && kind !== only) continue;
  await run();
  if (mode === "active") cut(0);
  const before = await used();
  await run();
  if (mode === "active") cut(0);
  grown[kind] = Math.round((await used()) - before);
}
fs.rmSync(folder, { recursive: true });
fs.writeFileSync(answer, JSON.stringify(grown));
process.exit();
