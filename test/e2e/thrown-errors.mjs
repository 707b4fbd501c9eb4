/* oxlint-disable -- wrong on purpose */
// Prints, as one JSON object, the stack of each kind of error that a program may meet, asked for from shallow and deep places.
// argv[2]: "own" for a stack format of the program's own; argv[3]: where the wrappers of @reenact/node come from, or "none".
import { AsyncLocalStorage } from "node:async_hooks";
import { exec, execFileSync, spawn } from "node:child_process";
import crypto from "node:crypto";
import dns from "node:dns";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import files from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { MessageChannel, Worker } from "node:worker_threads";
import zlib from "node:zlib";

const [, , mode, wrappers] = process.argv;
const bare = { tool: (_, fn) => fn, agent: (_, fn) => fn, branch: (_, fn) => fn() };
const { tool, agent, branch } = wrappers === "none" ? (await import("node:os"), bare) : await import(wrappers);
if (mode === "own")
  Error.prepareStackTrace = (error, trace) =>
    [
      error,
      ...trace.map(
        (at) => `${at.isAsync() ? "async " : ""}${at.getFunctionName()} ${at.getFileName()}:${at.getLineNumber()}`,
      ),
    ].join("\n");

const closed = "http://127.0.0.1:59999/";
const boom = () => {
  throw new Error("boom");
};
const rejected = async () => boom();
const late = async () => {
  await sleep(1);
  boom();
};
const called = (ask) =>
  new Promise((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value))));
const inCallback = (ask) => new Promise((_, reject) => ask(() => reject(new Error("here"))));
const emitted = (emitter) => new Promise((_, reject) => emitter.on("error", reject));

const lateTool = tool("late", async function lateInTool() {
  await sleep(1);
  boom();
});

const kinds = {
  boom,
  rejected,
  late,
  "null member": () => null.member,
  "JSON.parse": () => JSON.parse("{x"),
  "in map": () => [1].map(boom),
  "in a getter": () =>
    ({
      get x() {
        return boom();
      },
    }).x,
  "in a class": () =>
    new (class A {
      constructor() {
        boom();
      }
    })(),
  "in JSON.stringify": () => JSON.stringify({ toJSON: boom }),
  "with a cause": () => {
    try {
      boom();
    } catch (cause) {
      throw new Error("outer", { cause });
    }
  },
  "Promise.any": () => Promise.any([rejected(), rejected()]),
  "Promise.all": async () => await Promise.all([late(), late()]),
  "in then": () => Promise.resolve().then(boom),
  "in a new Promise": () => new Promise(boom),
  "in a generator": () =>
    (function* () {
      boom();
    })().next(),
  "in a stream": () =>
    pipeline(Readable.from(["a"]), async function* (source) {
      for await (const _ of source) boom();
    }),
  "in AsyncLocalStorage": () => new AsyncLocalStorage().run(1, boom),
  once: async () => {
    const emitter = new EventEmitter();
    setImmediate(() => emitter.emit("error", new Error("emitted")));
    await once(emitter, "x");
  },
  "dynamic import": () => import("./nowhere.mjs"),
  "new URL": () => new URL("nope"),
  readFileSync: () => fs.readFileSync("/nowhere"),
  openSync: () => fs.openSync("/nowhere"),
  statSync: () => fs.statSync("/nowhere"),
  readdirSync: () => fs.readdirSync("/nowhere"),
  "readFileSync of no path": () => fs.readFileSync({}),
  "writeFileSync of a symbol": () => fs.writeFileSync("/x", Symbol("x")),
  mkdtempSync: () => fs.mkdtempSync("/nowhere/x-").slice(0, 0),
  "mkdtempSync of a number": () => fs.mkdtempSync(3),
  readFile: () => called((done) => fs.readFile("/nowhere", done)),
  "readFile without a callback": () => fs.readFile("/x"),
  realpath: () => called((done) => fs.realpath("/nowhere", done)),
  "readFile as a promise": () => files.readFile("/nowhere"),
  "stat as a promise": () => files.stat("/nowhere"),
  "open as a promise": () => files.open("/nowhere"),
  "access as a promise": () => files.access("/nowhere"),
  opendir: () => files.opendir("/nowhere"),
  "readFile of no path, as a promise": () => files.readFile(12.5),
  promisified: () => promisify(fs.readFile)("/nowhere"),
  "a closed handle": async () => {
    const handle = await files.open(process.execPath);
    await handle.close();
    return await handle.read();
  },
  "a file stream": () => emitted(fs.createReadStream("/nowhere")),
  watch: () => fs.watch("/nowhere"),
  "watch of a number": () => fs.watch(5),
  "setTimeout of a text": () => setTimeout("x"),
  "in setTimeout": () => inCallback((done) => setTimeout(done, 1)),
  "deep in setTimeout": () => inCallback((done) => setTimeout(() => down(6, done), 1)),
  "in setInterval": () =>
    inCallback((done) => {
      const timer = setInterval(() => {
        clearInterval(timer);
        done();
      }, 1);
    }),
  "in setImmediate": () => inCallback((done) => setImmediate(done)),
  "setImmediate of a number": () => setImmediate(5),
  "in nextTick": () => inCallback((done) => process.nextTick(done)),
  "in queueMicrotask": () => inCallback((done) => queueMicrotask(done)),
  "sleep that was aborted": () => sleep(1, 0, { signal: AbortSignal.abort() }),
  "sleep of a bad signal": () => sleep(1, 0, { signal: 3 }),
  "AbortSignal.timeout of -1": () => AbortSignal.timeout(-1),
  "randomBytes of -1": () => crypto.randomBytes(-1),
  randomInt: () => crypto.randomInt(5, 1),
  "randomUUID of a number": () => crypto.randomUUID(3),
  getRandomValues: () => crypto.getRandomValues(new Float32Array(2)),
  "randomFillSync of a text": () => crypto.randomFillSync("x"),
  pbkdf2: () => crypto.pbkdf2("a"),
  "hrtime of a number": () => process.hrtime(3),
  "an invalid date": () => new Date(NaN).toISOString(),
  gunzip: () => promisify(zlib.gunzip)(Buffer.from("xx")),
  "a stream of zlib": () => {
    const stream = zlib.createGunzip();
    stream.end("xxxx");
    return emitted(stream);
  },
  "fetch of a closed port": () => fetch(closed),
  "fetch of a closed port, awaited": async () => await fetch(closed),
  "fetch of no URL": () => fetch("nope"),
  "Response of status 99": () => new Response("", { status: 99 }),
  "a header": () => new Headers({ "a b": "c" }),
  "a data URL": async () => JSON.parse(await (await fetch("data:,x")).text()),
  "http.get of a closed port": () => emitted(http.get(closed)),
  "http.get of no URL": () => http.get("nope"),
  "net.connect": () => emitted(net.connect(59999, "127.0.0.1")),
  "net.connect of a bad port": () => net.connect(99999),
  "dns.lookup of a number": () => dns.lookup(3),
  "spawn of nothing": () => spawn(""),
  "spawn of no file": () => emitted(spawn("/nowhere")),
  execFileSync: () => execFileSync("/nowhere"),
  "exec of nothing": () => exec(3),
  "Worker of a number": () => new Worker(3),
  "a function in a message": () => new MessageChannel().port1.postMessage(() => {}),
  structuredClone: () => structuredClone(() => {}),
  "a symbol in process.env": () => {
    process.env[Symbol("x")] = 1;
  },
  "Error.captureStackTrace": () => {
    const seen = {};
    Error.captureStackTrace(seen);
    throw Object.assign(new Error("own"), { stack: seen.stack });
  },
  "a limit of 50": () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 50;
    try {
      down(20, () => fs.readFileSync("/nowhere"));
    } finally {
      Error.stackTraceLimit = limit;
    }
  },
  "in tool()": tool("thrower", function inTool() {
    boom();
  }),
  "late in tool()": () => lateTool(),
  "await of a tool()": async () => await lateTool(),
  "in agent()": agent("thrower", () => boom()),
  "late in agent()": agent("late", async () => {
    await sleep(1);
    boom();
  }),
  "a file in agent()": agent("files", async () => await files.readFile("/nowhere")),
  "late in branch()": async () => await branch("late", late),
  "fetch of a port that is never asked": () => fetch("http://127.0.0.1:1/"),
  "fetch of a port that is never asked, with a body": async () =>
    await fetch("http://127.0.0.1:6000/", { method: "POST", body: "text" }),
  "fetch of an unknown scheme": async () => await fetch("ftp://127.0.0.1/"),
  "fetch of a file": async () => await fetch("file:///nowhere"),
  "fetch of a Request for such a port": async () => await fetch(new Request("http://127.0.0.1:1/")),
};

function down(n, fn) {
  return n <= 0 ? fn() : down2(n - 1, fn);
}
function down2(n, fn) {
  return n <= 0 ? fn() : down(n - 1, fn);
}
async function later(n, fn) {
  return n <= 0 ? await fn() : await later2(n - 1, fn);
}
async function later2(n, fn) {
  await null;
  return n <= 0 ? await fn() : await later(n - 1, fn);
}
const told = (error) =>
  `${error.stack}${error.cause ? `\nCAUSE ${told(error.cause)}` : ""}${(error.errors ?? []).map((each) => `\nERROR ${told(each)}`).join("")}`;

const stacks = {};
for (const [kind, fn] of Object.entries(kinds))
  for (const [place, ask] of Object.entries({
    here: () => fn(),
    "seven calls down": () => down(7, fn),
    "five awaits down": () => later(5, () => fn()),
  }))
    stacks[`${kind}, ${place}`] = await new Promise((resolve) => {
      const end = (text) => {
        process.setUncaughtExceptionCaptureCallback(null);
        resolve(text);
      };
      process.setUncaughtExceptionCaptureCallback((error) => end(`uncaught ${told(error)}`));
      void (async () => {
        try {
          await ask();
          end("nothing");
        } catch (error) {
          end(told(error));
        }
      })();
    });
process.stdout.write(JSON.stringify(stacks), () => process.exit());
