import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const ANSWER = (n: number): string => `"use strict";exports.answer=()=>${n};exports.file=__filename`;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "own-code-"));
  put(1);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a package of ours is loaded as require loads it, and is the one that require gives", () => {
  expect(start()).toEqual({
    answer: 1,
    file: join(folder, "node_modules/@reenact/thing/dist/index.js"),
    same: true,
    heard: [],
  });
});

test("a hook that the program has put on require does not hear of it", () => {
  const dist = join(folder, "node_modules/@reenact/thing/dist");
  writeFileSync(join(dist, "index.js"), `require("node:os");require("./other.js");${ANSWER(1)}`);
  writeFileSync(join(dist, "other.js"), `require("node:url")`);
  const hook = `const heard = [];
    const { require } = Module.prototype;
    Module.prototype.require = function (id) { heard.push(id); return Reflect.apply(require, this, [id]); };`;
  expect(start({}, hook)).toMatchObject({ answer: 1, heard: ["@reenact/thing"] });
});

test("what V8 made of the code is kept once, for the user alone, and used by the next start", () => {
  start();
  const [kept = ""] = caches();
  expect(caches()).toEqual([kept]);
  expect([statSync(cacheFolder()).mode & 0o777, statSync(join(cacheFolder(), kept)).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  const { mtimeMs } = statSync(join(cacheFolder(), kept));
  start();
  expect(statSync(join(cacheFolder(), kept)).mtimeMs).toBe(mtimeMs);
  exchange();
  expect(start().answer).toBe(1);
});

test.each([
  ["a damaged file", () => damage((file) => file.fill(0xff, file.length >> 1))],
  ["a file cut short", () => damage((file) => file.subarray(0, 40))],
  ["an empty file", () => damage(() => Buffer.alloc(0))],
  ["a folder that others may write", () => chmodSync(cacheFolder(), 0o777)],
])("%s is not used", (_, change) => {
  start();
  exchange();
  change();
  expect(start().answer).toBe(2);
});

test("the folder does not grow without bound", () => {
  start();
  for (let n = 0; n < 500; n++) writeFileSync(join(cacheFolder(), `old-${n}`), "");
  put(2);
  start();
  expect(caches()).toHaveLength(1);
  expect(start().answer).toBe(2);
});

test("where nothing can be kept the code runs all the same", () => {
  writeFileSync(join(folder, "file"), "");
  for (const TMPDIR of [join(folder, "file"), join(folder, "absent"), "/proc"])
    expect(start({ TMPDIR }).answer).toBe(1);
  expect(start({ NODE_DISABLE_COMPILE_CACHE: "1" }).answer).toBe(1);
  expect(readdirSync(folder).filter((name) => name.startsWith("reenact-code"))).toEqual([]);
});

/** What V8 made of another source of the same length takes the place of the right one: it shows which of both ran. */
function exchange(): void {
  const [foreign = ""] = caches();
  put(2);
  start();
  const right = caches().find((name) => name !== foreign) ?? "";
  writeFileSync(join(cacheFolder(), right), readFileSync(join(cacheFolder(), foreign)));
}

function put(answer: number): void {
  const dist = join(folder, "node_modules/@reenact/thing/dist");
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, "../package.json"), '{ "name": "@reenact/thing", "exports": "./dist/index.js" }');
  writeFileSync(join(dist, "index.js"), ANSWER(answer));
}

interface Told {
  answer: number;
  file: string;
  same: boolean;
  heard: string[];
}

/** A process that loads the package, asks it, and ends. */
function start(env: Record<string, string> = {}, hook = "const heard = [];"): Told {
  const program = `import Module, { createRequire } from "node:module";
    const { loadOwn, keepOwnCode } = await import(${JSON.stringify(join(import.meta.dirname, "load-own.ts"))});
    const from = ${JSON.stringify(join(folder, "program.js"))};
    ${hook}
    const own = loadOwn("@reenact/thing", from);
    const same = createRequire(from)("@reenact/thing") === own;
    process.stdout.write(JSON.stringify({ answer: own.answer(), file: own.file, same, heard }));
    keepOwnCode();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    env: { ...process.env, TMPDIR: folder, ...env },
    timeout: 15_000,
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Told;
}

function cacheFolder(): string {
  return join(folder, `reenact-code-${process.getuid?.()}`);
}

function caches(): string[] {
  return readdirSync(cacheFolder());
}

function damage(change: (file: Buffer) => Buffer): void {
  for (const name of caches()) {
    const path = join(cacheFolder(), name);
    writeFileSync(path, change(readFileSync(path)));
  }
}
