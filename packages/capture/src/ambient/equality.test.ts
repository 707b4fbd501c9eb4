import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "equality-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  out: string;
  err: string;
  code: number | string;
}

function node(args: string[], env: Record<string, string>): Promise<Outcome> {
  const all = ["--conditions=@reenact/source", "--disable-warning=ExperimentalWarning", ...args];
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      all,
      { cwd: folder, env: { PATH: process.env["PATH"] as string, ...env }, timeout: 15_000 },
      (error, out, err) =>
        resolve({
          out,
          err: err.replaceAll(/^.*file:\/\/\S*:\d+.*\n|^ +at .*\n|(?<=\(node:)\d+/gm, ""),
          code: error === null ? 0 : ((error.code as number) ?? "killed"),
        }),
    ),
  );
}

const PRELOAD = join(import.meta.dirname, "preload.test.fixture.ts");

let n = 0;
async function record(
  source: string,
  extension = "mjs",
): Promise<{ program: string; journal: string; recorded: Outcome }> {
  const program = join(folder, `program${++n}.${extension}`);
  const journal = join(folder, `journal${n}`);
  writeFileSync(program, source);
  return { program, journal, recorded: await node(["--import", PRELOAD, program], { JOURNAL: journal }) };
}

const replay = (r: { program: string; journal: string }): Promise<Outcome> =>
  node(["--import", PRELOAD, r.program], { JOURNAL: r.journal, REPLAY: "1" });

/** Programs whose output does not depend on chance: the same with no recorder, recorded and replayed. */
const SAME: Record<string, string> = {
  "ticks, microtasks, immediates and timers": `
    const log = (...a) => console.log(...a);
    setTimeout(() => {
      log("t1"); process.nextTick(log, "tick in t1"); queueMicrotask(() => log("micro in t1")); setImmediate(log, "immediate in t1");
      setTimeout(() => log("t2"), 100);
      setImmediate(() => { log("i1"); Promise.resolve().then(() => log("micro in i1")); process.nextTick(log, "tick in i1"); });
      setImmediate(() => log("i2"));
    }, 100);
    queueMicrotask(() => log("micro"));
    process.nextTick(log, "tick");
    await 0; log("after await");
    const { setTimeout: sleep } = await import("node:timers/promises");
    await sleep(400); log("slept");`,
  "a throwing timer with a handler that sleeps, and one without": `
    process.on("uncaughtException", (e) => { console.log("caught", e.message); if (e.message === "one") setTimeout(() => { process.removeAllListeners("uncaughtException"); throw new Error("two"); }, 5); });
    setTimeout(() => { throw new Error("one"); }, 3);
    setTimeout(() => console.log("never"), 2000);`,
  "throwing callbacks of files and immediates": `
    import fs from "node:fs";
    process.on("uncaughtException", (e, origin) => console.log(origin, e.message));
    fs.readFile("none", (e) => { throw e.code === "ENOENT" ? new Error("file") : e; });
    setTimeout(() => setImmediate(() => { throw new Error("immediate"); }), 50);
    setTimeout(() => Promise.reject(new Error("rejected")), 1500);`,
  "work started in beforeExit": `
    let n = 0;
    process.on("beforeExit", () => { console.log("beforeExit", n); if (n++ < 3) setTimeout(() => console.log("again", n), 1); });
    process.on("exit", (code) => console.log("exit", code));`,
  "an unreferenced timer holds nobody": `
    setTimeout(() => console.log("never"), 5000).unref();
    setInterval(() => console.log("never"), 5000).unref();
    AbortSignal.timeout(5000);
    setTimeout(() => console.log("once"), 5);`,
  "process.exit with timers and files under way": `
    import { readFile } from "node:fs/promises";
    setTimeout(() => console.log("never"), 1000);
    readFile(import.meta.filename).then(() => setTimeout(() => process.exit(3), 2));`,
  "a poll until something has happened": `
    let ready = false; setTimeout(() => { ready = true; }, 40);
    const poll = setInterval(() => { if (ready) clearInterval(poll); }, 3);
    while (!ready) await new Promise((r) => setImmediate(r));
    console.log("loop saw it");`,
  "context, this, arguments and names": `
    import { AsyncLocalStorage } from "node:async_hooks";
    const als = new AsyncLocalStorage();
    als.run("ctx", () => { setTimeout(function (...a) { console.log(als.getStore(), a, this?.constructor?.name); }, 1, 1, 2); setImmediate(() => console.log(als.getStore())); });
    console.log(setTimeout.name, setTimeout.length, Date.name, Date.length, Math.random.name, process.hrtime.length, typeof performance.now());
    console.log(Object.keys(globalThis).join(), Object.keys(process).length, process.listenerCount("uncaughtException"), process.listenerCount("beforeExit"));
    try { setTimeout("x") } catch (e) { console.log(e.name, e.code, e.message) }
    try { setImmediate() } catch (e) { console.log(e.name, e.code, e.message) }
    setTimeout(() => {}, -5); setTimeout(() => {}, 2 ** 31);`,
  environment: `
    console.log(process.env.PATH?.length > 0, process.env.NONE, "NONE" in process.env, Object.keys(process.env).join(), { ...process.env }.PATH === process.env.PATH);
    process.env.X = 1; console.log(process.env.X, JSON.stringify(process.env).length, delete process.env.X, process.env.X);
    const { execFileSync, spawnSync } = await import("node:child_process");
    console.log(execFileSync(process.execPath, ["-p", "Object.keys(process.env).sort().join()"], { encoding: "utf8" }));`,
};

for (const [title, source] of Object.entries(SAME))
  test.concurrent(title, { timeout: 60_000 }, async () => {
    const r = await record(source);
    const plain = await node([r.program], {});
    expect(r.recorded).toEqual(plain);
    expect(await replay(r)).toEqual(plain);
  });

/** Programs that chance decides: a replay says what the recording said. */
const CHANCE: Record<string, string> = {
  "timers that race with files, digests and each other": `
    import { readFile, stat } from "node:fs/promises";
    import fs from "node:fs";
    const said = []; const say = (x) => (v) => said.push(x, Date.now() % 1000, Math.random());
    const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
    await Promise.all(Array.from({ length: 40 }, async (_, i) => {
      await sleep(Math.random() * 8); say("slept" + i)();
      await [() => readFile(import.meta.filename), () => stat("."), () => crypto.subtle.digest("SHA-1", new Uint8Array(1e5 * Math.random())), () => new Promise((r) => fs.readdir(".", r)), () => new Promise(setImmediate), () => import("node:zlib")][i % 6]();
      say("done" + i)();
      if (Math.random() < 0.5) { const c = new AbortController(); setTimeout(() => c.abort(), Math.random() * 5); await new Promise((r) => { c.signal.addEventListener("abort", r); }); say("aborted" + i)(); }
    }));
    console.log(said.join(" "), crypto.randomUUID(), process.hrtime.bigint(), performance.now(), process.uptime());`,
  "streams, handles, zlib and channels": `
    import fs from "node:fs"; import zlib from "node:zlib"; import { open } from "node:fs/promises"; import { pipeline } from "node:stream/promises";
    const said = [];
    const big = Buffer.alloc(300000, "x"); fs.writeFileSync("big" + process.pid, big);
    await Promise.all([
      (async () => { for await (const c of fs.createReadStream("big" + process.pid)) said.push("r" + c.length); })(),
      new Promise((r) => zlib.gzip(big, () => { said.push("gzip"); r(); })),
      pipeline(fs.createReadStream("big" + process.pid), fs.createWriteStream("copy" + process.pid)).then(() => said.push("copied")),
      (async () => { for (let i = 0; i < 10; i++) { await new Promise((r) => setTimeout(r, Math.random() * 3)); said.push("t" + i); } })(),
    ]);
    fs.rmSync("big" + process.pid); fs.rmSync("copy" + process.pid);
    console.log(said.join(" "));`,
};

for (const [title, source] of Object.entries(CHANCE))
  test.concurrent(title, { timeout: 60_000 }, async () => {
    const r = await record(source);
    expect(r.recorded).toMatchObject({ code: 0, err: "" });
    for (let i = 0; i < 3; i++) expect(await replay(r)).toEqual(r.recorded);
  });

test("loading code is not journaled", async () => {
  writeFileSync(join(folder, "dep.mjs"), "export const a = 1;");
  writeFileSync(join(folder, "dep.cjs"), "module.exports = require('node:zlib').constants;");
  const { journal, recorded } = await record(`
    import { a } from "./dep.mjs"; import zlib from "./dep.cjs"; import { createRequire } from "node:module";
    await import("./dep.mjs?2"); await import("node:http"); await import("data:text/javascript,export default 1"); createRequire(import.meta.url)("./dep.cjs");
    console.log(a, typeof zlib.Z_OK);`);
  expect(recorded.out).toBe("1 number\n");
  expect(readFileSync(journal, "utf8")).toBe("");
});
