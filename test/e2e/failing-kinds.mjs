/* oxlint-disable -- wrong on purpose */
// What may fail, each in a way of its own, and how its stacks are told.
import assert from "node:assert";
import crypto from "node:crypto";
import fs from "node:fs";
import files from "node:fs/promises";
import { setImmediate as immediately, setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export const boom = () => {
  throw new Error("boom");
};

/** Below more calls than a stack has frames. */
export function down(n, fn) {
  return n <= 0 ? fn() : down(n - 1, fn);
}

export const told = (error) =>
  `${error.stack}${error.cause ? `\nCAUSE ${told(error.cause)}` : ""}${(error.errors ?? []).map((each) => `\nERROR ${told(each)}`).join("")}`;

const inCallback = (ask) => new Promise((_, reject) => ask(() => reject(new Error("here"))));
/** Below more functions that await than a stack has frames. */
const awaiting = async (n) => {
  await null;
  if (n <= 1) boom();
  await awaiting(n - 1);
};
const stopped = (ms) => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), ms);
  return stop.signal;
};
const late = async () => {
  await sleep(1);
  boom();
};
/** Of the server that the test runs: `/silent` never answers, `/text` answers with no JSON. */
const url = (path) => new URL(path, process.env.ASKED_URL);

/** What a handler may ask for, by itself or through wrappers. */
export const kinds = {
  late,
  "late with a cause": async () => {
    try {
      await late();
    } catch (cause) {
      throw new Error("outer", { cause });
    }
  },
  "Promise.any": () => Promise.any([Promise.reject(new Error("first")), late()]),
  "behind two timers": async () => {
    await sleep(1);
    await late();
  },
  "behind setImmediate": async () => {
    await immediately();
    boom();
  },
  "behind nextTick": async () => {
    await sleep(1);
    await new Promise((resolve) => process.nextTick(resolve));
    boom();
  },
  "behind a file": async () => {
    await files.stat("/");
    boom();
  },
  "JSON of a file": async () => JSON.parse(await files.readFile(process.argv[1], "utf8")),
  "a closed handle": async () => {
    const handle = await files.open(process.execPath);
    await handle.close();
    return await handle.read();
  },
  "in setTimeout": () => inCallback((done) => setTimeout(done, 1)),
  "in setTimeout, eight calls down": () => inCallback((done) => setTimeout(() => down(8, done), 1)),
  "in setImmediate": () => inCallback((done) => setImmediate(done)),
  "in readFile": () => inCallback((done) => fs.readFile("/nowhere", done)),
  "in stat": () => inCallback((done) => fs.stat("/", done)),
  "in readdir": () => inCallback((done) => fs.readdir("/", done)),
  "in scrypt": () => inCallback((done) => crypto.scrypt("a", "b", 16, done)),
  "readFileSync of no path": () => fs.readFileSync({}),
  "readFile of no path": async () => await files.readFile(12.5),
  "readFile without a callback": () => fs.readFile("/x"),
  mkdtempSync: () => fs.mkdtempSync(3),
  "a thread": () => new Worker(3),
  subtle: async () => await crypto.subtle.digest("nope", Buffer.from("x")),
  "a sleep that is aborted": async () => await sleep(1000, 0, { signal: stopped(2) }),
  "AbortSignal.timeout": async () => {
    const signal = AbortSignal.timeout(2);
    await sleep(30);
    signal.throwIfAborted();
  },
  "fetch that is aborted": async () => await fetch(url("/silent"), { signal: stopped(20) }),
  "fetch that was aborted": async () => await fetch(url("/silent"), { signal: AbortSignal.abort() }),
  "fetch that times out": async () => await fetch(url("/silent"), { signal: AbortSignal.timeout(20) }),
  "fetch of no JSON": async () => await (await fetch(url("/text"))).json(),
  "behind fetch": async () => {
    await (await fetch(url("/text"))).text();
    boom();
  },
  "behind fetch, more functions that await than a stack has frames": async () => {
    await (await fetch(url("/text"))).text();
    await awaiting(12);
  },
  "in queueMicrotask": () => inCallback(queueMicrotask),
  "behind fetch, in queueMicrotask": async () => {
    await (await fetch(url("/text"))).text();
    await inCallback(queueMicrotask);
  },
  "assert.rejects of what resolves": async () => {
    await (await fetch(url("/text"))).text();
    await assert.rejects(Promise.resolve(1));
  },
  "a signal to nobody": () => process.kill(2 ** 30, 0),
  "a wider limit": () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 50;
    try {
      fs.readFileSync("/nowhere");
    } finally {
      Error.stackTraceLimit = limit;
    }
  },
};
