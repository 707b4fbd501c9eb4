import { execFileSync } from "node:child_process";
import fs, { readFileSync as boundEarly } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installScratch, type Scratch } from "./scratch.ts";

let base: string;
let home: string;
let folder: string;
let scratch: Scratch | null = null;
let copied: string[] = [];

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "scratch-")));
  home = join(base, "home");
  folder = join(base, "scratch");
  fs.mkdirSync(join(home, "data"), { recursive: true });
  fs.writeFileSync(join(home, "data", "note.txt"), "original");
});

afterEach(() => {
  scratch?.undo();
  scratch = null;
  fs.rmSync(base, { recursive: true, force: true });
});

function install(applies = (): boolean => true): Scratch {
  copied = [];
  scratch = installScratch({
    folder,
    applies,
    ignore: (path) => path.startsWith(join(home, ".reenact")),
    onCopy: (path) => copied.push(path),
  });
  return scratch;
}

/** What is on the disk, whatever the program sees. */
function original(path: string): string | null {
  scratch?.undo();
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : null;
}

test("a write is read back, by every way of reading, and the original stays", async () => {
  const note = join(home, "data", "note.txt");
  install();
  fs.writeFileSync(note, "changed");
  expect(fs.readFileSync(note, "utf8")).toBe("changed");
  expect(boundEarly(note, "utf8")).toBe("changed");
  expect(await fs.promises.readFile(pathToFileURL(note), "utf8")).toBe("changed");
  expect(await promisify(fs.readFile)(Buffer.from(note), "utf8")).toBe("changed");
  expect(await promisify(fs.exists)(note)).toBe(true);
  expect(await fs.createReadStream(note, "utf8").toArray()).toEqual(["changed"]);
  expect(await (await fs.openAsBlob(note)).text()).toBe("changed");
  expect(copied).toEqual([note]);
  const [copy] = scratch?.copies() ?? [];
  expect([copy?.original, copy?.copy.startsWith(folder)]).toEqual([note, true]);
  expect(fs.readFileSync(copy?.copy as string, "utf8")).toBe("changed");
  expect(original(note)).toBe("original");
});

test("write streams, file handles and descriptors write to the copy", async () => {
  const note = join(home, "data", "note.txt");
  install();
  const stream = fs.createWriteStream(note, { flags: "a" });
  await new Promise((resolve) => stream.end(" and more", resolve as () => void));
  expect(stream.path).toBe(note);
  const handle = await fs.promises.open(note, "r+");
  await handle.write("O", 0);
  await handle.close();
  const descriptor = fs.openSync(note, fs.constants.O_WRONLY | fs.constants.O_APPEND);
  fs.writeSync(descriptor, "!");
  fs.ftruncateSync(descriptor, 18);
  fs.closeSync(descriptor);
  expect(fs.readFileSync(note, "utf8")).toBe("Original and more!");
  expect(original(note)).toBe("original");
});

test("relative paths and a changed working directory", () => {
  const before = process.cwd();
  process.chdir(home);
  try {
    install();
    fs.writeFileSync("data/new.txt", "new");
    process.chdir("data");
    expect(fs.readdirSync(".")).toEqual(["new.txt", "note.txt"]);
    expect(() => fs.readFileSync("missing.txt")).toThrow("ENOENT: no such file or directory, open 'missing.txt'");
    fs.rmSync("note.txt");
    expect(() => fs.statSync("note.txt")).toThrow("ENOENT: no such file or directory, stat 'note.txt'");
    expect(original(join(home, "data", "new.txt"))).toBe(null);
    expect(original(join(home, "data", "note.txt"))).toBe("original");
  } finally {
    process.chdir(before);
  }
});

test("a link in the scratch copy never leads to the original", () => {
  const link = join(home, "link");
  install();
  fs.symlinkSync(join(home, "data"), link);
  fs.writeFileSync(join(link, "note.txt"), "through the link");
  fs.writeFileSync(join(link, "made.txt"), "made");
  expect(fs.readFileSync(join(home, "data", "note.txt"), "utf8")).toBe("through the link");
  expect(fs.realpathSync(join(link, "made.txt"))).toBe(join(home, "data", "made.txt"));
  expect(original(join(home, "data", "note.txt"))).toBe("original");
  expect(original(join(home, "data", "made.txt"))).toBe(null);
});

test("devices and our own files are not copied, also through a link of the program", () => {
  install();
  fs.writeFileSync("/dev/null", "x");
  fs.mkdirSync(join(home, ".reenact"));
  fs.writeFileSync(join(home, ".reenact", "run"), "kept");
  fs.symlinkSync("/dev/null", join(home, "sink"));
  fs.writeFileSync(join(home, "sink"), "x");
  expect(copied).toEqual([join(home, "sink")]);
  expect(fs.existsSync("/proc/self/status")).toBe(true);
  expect(original(join(home, ".reenact", "run"))).toBe("kept");
  expect(fs.existsSync(join(home, "sink"))).toBe(false);
});

test.skipIf(process.platform !== "linux")("what is written to a named pipe or a device goes nowhere", async () => {
  const pipe = join(home, "pipe");
  execFileSync("mkfifo", ["-m", "600", pipe]);
  const reader = fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const file = "/proc/sys/vm/swappiness";
  try {
    install();
    fs.writeFileSync(pipe, "delete 7");
    fs.appendFileSync(pipe, "delete 8");
    await fs.promises.writeFile(pipe, "delete 9");
    fs.createWriteStream(pipe).end("delete 10");
    fs.chmodSync(pipe, 0o644);
    fs.writeFileSync(file, "not a number");
    await sleep(50);
    fs.writeFileSync("/dev/null", "as ever");
    scratch?.undo();
    expect(fs.readSync(reader, Buffer.alloc(100))).toBe(0);
    expect(fs.statSync(pipe).mode & 0o777).toBe(0o600);
  } finally {
    fs.closeSync(reader);
  }
});

test("temporary folders have the names that the program asked for", async () => {
  install();
  const made = fs.mkdtempSync(join(home, "tmp-"));
  expect(made).toMatch(new RegExp(`^${join(home, "tmp-")}\\w{6}$`));
  fs.writeFileSync(join(made, "x"), "x");
  expect(fs.readdirSync(made)).toEqual(["x"]);
  expect(await fs.promises.mkdtemp(join(home, "data") + "/")).toMatch(new RegExp(`^${join(home, "data")}/\\w{6}$`));
  expect(() => fs.mkdtempSync(join(home, "no", "tmp-"))).toThrow(`mkdtemp '${join(home, "no", "tmp-XXXXXX")}'`);
  expect(fs.mkdirSync(join(home, "a", "b", "c"), { recursive: true })).toBe(join(home, "a"));
  scratch?.undo();
  expect(fs.readdirSync(home)).toEqual(["data"]);
});

test("cp calls the filter with the program's paths and sees both trees as one", async () => {
  install();
  fs.writeFileSync(join(home, "data", "new.txt"), "new");
  fs.symlinkSync("new.txt", join(home, "data", "link"));
  const seen: string[][] = [];
  const filter = async (from: string, to: string): Promise<boolean> => {
    seen.push([from, to]);
    await sleep(1);
    return !from.endsWith("note.txt");
  };
  await fs.promises.cp(join(home, "data"), join(home, "copy"), { recursive: true, filter });
  expect(fs.readdirSync(join(home, "copy"))).toEqual(["link", "new.txt"]);
  expect(fs.readlinkSync(join(home, "copy", "link"))).toBe(join(home, "data", "new.txt"));
  expect(seen).toContainEqual([join(home, "data", "note.txt"), join(home, "copy", "note.txt")]);
  scratch?.undo();
  expect(fs.existsSync(join(home, "copy"))).toBe(false);
});

test("if the copy cannot be made the call fails, in its own form, and the original is not touched", async () => {
  const note = join(home, "data", "note.txt");
  install();
  // a file in the place of the tree: nothing can be copied
  fs.writeFileSync(join(folder, String(fs.readdirSync(folder)[0]), "tree"), "");
  expect(() => fs.writeFileSync(note, "lost")).toThrow(`open '${note}'`);
  await expect(fs.promises.appendFile(note, "lost")).rejects.toThrow(`open '${note}'`);
  await expect(promisify(fs.unlink)(note)).rejects.toThrow(`unlink '${note}'`);
  const stream = fs.createWriteStream(note);
  expect(await new Promise((resolve) => stream.on("error", resolve))).toBeInstanceOf(Error);
  expect(original(note)).toBe("original");
});

test("a call that fails takes back what was prepared for it", () => {
  const note = join(home, "data", "note.txt");
  install();
  expect(() => (fs.unlink as unknown as (path: string) => void)(note)).toThrow("must be of type function");
  expect(fs.readFileSync(note, "utf8")).toBe("original");
});

test("code that the scratch copy does not apply to reaches the original", () => {
  const note = join(home, "data", "note.txt");
  let program = true;
  install(() => program);
  fs.writeFileSync(note, "changed");
  program = false;
  expect(fs.readFileSync(note, "utf8")).toBe("original");
});

test("functions keep their names, lengths and own properties, and come back", () => {
  const before = { open: fs.open, native: fs.realpath.native, rm: fs.promises.rm };
  install();
  expect(fs.open).not.toBe(before.open);
  expect([fs.open.name, fs.open.length, fs.promises.rm.name]).toEqual([
    before.open.name,
    before.open.length,
    before.rm.name,
  ]);
  expect(typeof fs.realpathSync.native).toBe("function");
  expect(promisify.custom in fs.exists).toBe(true);
  scratch?.undo();
  expect({ open: fs.open, native: fs.realpath.native, rm: fs.promises.rm }).toEqual(before);
});

test("modules load as before", () => {
  fs.mkdirSync(join(home, "node_modules", "thing"), { recursive: true });
  fs.writeFileSync(join(home, "node_modules", "thing", "index.js"), "module.exports = 42;");
  install();
  fs.writeFileSync(join(home, "data", "note.txt"), "x");
  expect(createRequire(join(home, "main.js"))("thing")).toBe(42);
});
