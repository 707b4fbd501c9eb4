import { AsyncLocalStorage } from "node:async_hooks";
import crypto from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { parseJournal } from "@reenact/envelope";
import { within } from "../../run/context.ts";
import { left, recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";
import { installOrderedOperations } from "./ordered-operations.ts";

const folder = fs.mkdtempSync(join(tmpdir(), "ordered-"));
const file = join(folder, "file.txt");
const own = new AsyncLocalStorage<string>();
let undo: () => void;
beforeEach(() => {
  undo = installOrderedOperations();
});
afterEach(() => undo());
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Many operations at once, of very different length: the order in which they end is chance. */
async function program(): Promise<string[]> {
  const said: string[] = [];
  const say = (line: string) => (value: unknown) => void said.push(`${line} ${String(value).slice(0, 20)}`);
  fs.writeFileSync(file, "x".repeat(400_000));
  const jobs = [
    fs.promises.readFile(file, "utf8").then(say("promise")),
    fs.promises.stat(file).then((s) => say("stat")(s.size)),
    fs.promises.readFile(join(folder, "none")).catch((e: NodeJS.ErrnoException) => say("error")(e.code)),
    promisify(fs.readFile)(file, "utf8").then(say("callback")),
    promisify(fs.exists)(file).then(say("exists")),
    crypto.subtle.digest("SHA-256", new Uint8Array(200_000)).then((d) => say("digest")(d.byteLength)),
    promisify(zlib.gzip)("x".repeat(100_000)).then((b) => say("gzip")(b.length)),
    promisify(crypto.scrypt)("a", "b", 16).then((b) => say("scrypt")((b as Buffer).toString("hex"))),
    new Promise<void>((resolve) =>
      own.run("mine", () =>
        fs.readdir(folder, (_, names) => {
          say("readdir")(`${names.join()} ${own.getStore()}`);
          resolve();
        }),
      ),
    ),
    ...[1, 2, 3].map(async (n) => {
      const handle = await fs.promises.open(file, "r+");
      const { bytesRead } = await handle.read(Buffer.alloc(100_000), 0, 100_000, 0);
      say("handle")(`${n} ${bytesRead} ${(await handle.stat()).size}`);
      await handle.writeFile("x".repeat(n));
      say("handle closed")(await handle.close());
    }),
    new Promise<void>((resolve) =>
      fs
        .createReadStream(file, { highWaterMark: 100_000 })
        .on("data", (c) => say("stream")(c.length))
        .on("close", resolve),
    ),
    ...(["Gzip", "BrotliCompress"] as const).map(async (kind) => {
      const stream = own.run(kind, () => zlib[`create${kind}`]());
      stream.on("data", (c) => say(kind)(`${(c as Buffer).length} ${own.getStore()}`));
      for (let n = 0; n < 4; n++) stream.write("abc".repeat(50_000), () => say(kind)(n));
      stream.end(crypto.createHash("sha512").update("x").digest());
      await once(stream, "end");
    }),
  ];
  await Promise.all(jobs);
  return said;
}

test("operations run for real and end in the recorded order", async () => {
  const recording = recordingRun();
  const recorded = await within(recording.frame, program);
  expect(recorded.toSorted()).toEqual(
    expect.arrayContaining([
      "digest 32",
      "error ENOENT",
      "exists true",
      "readdir file.txt mine",
      "stat 400000",
      "stream 100000",
    ]),
  );
  const journal = recording.journal.cut().events;
  expect(new Set(parseJournal(journal).map((e) => e.k))).toEqual(new Set(["o"]));
  for (let n = 0; n < 5; n++) {
    const replay = replayingRun(journal);
    expect(await within(replay.frame, program)).toEqual(recorded);
    expect(left(replay)).toEqual([]);
  }
});

test("temporary folders have the same names again", async () => {
  const beginning = join(folder, "made-");
  const program = async (): Promise<string[]> => [
    fs.mkdtempSync(beginning),
    await fs.promises.mkdtemp(beginning, "utf8"),
    await promisify(fs.mkdtemp)(beginning),
    await new Promise<string>((resolve) => fs.mkdtemp(beginning, {}, (_, path) => resolve(path))),
  ];
  const recording = recordingRun();
  const recorded = await within(recording.frame, program);
  expect(new Set(recorded).size).toBe(4);
  for (const path of recorded) {
    expect(path).toMatch(/made-[A-Za-z0-9]{6}$/);
    expect(fs.statSync(path).mode & 0o777).toBe(0o700);
    fs.rmdirSync(path);
  }
  const journal = recording.journal.cut().events;
  expect(await within(replayingRun(journal).frame, program)).toEqual(recorded);
  // where that folder is there, or cannot be made, Node makes one or says why not
  expect(await within(replayingRun(journal).frame, program)).not.toEqual(recorded);
  const nowhere = join(folder, "none", "made-");
  for (const made of [
    async () => fs.mkdtempSync(nowhere),
    () => fs.promises.mkdtemp(nowhere),
    () => promisify(fs.mkdtemp)(nowhere),
  ]) {
    const { message } = await within(recordingRun().frame, made).then(
      () => new Error("made"),
      (error: unknown) => error as Error,
    );
    expect(message.slice(0, -7)).toBe(`ENOENT: no such file or directory, mkdtemp '${nowhere}`);
  }
  expect(() => within(recordingRun().frame, () => fs.mkdtemp(beginning, undefined as never))).toThrow(TypeError);
});

test("streams of zlib are Node's own", async () => {
  const plain = zlib.createGunzip();
  await within(recordingRun().frame, async () => {
    const stream = zlib.createGunzip({ chunkSize: 100 });
    expect([stream instanceof zlib.Gunzip, Object.getPrototypeOf(stream)]).toEqual([
      true,
      Object.getPrototypeOf(plain) as object,
    ]);
    expect(() => zlib.createGzip({ level: 99 })).toThrow(RangeError);
    stream.end("no gzip at all");
    await expect(once(stream, "end")).rejects.toMatchObject({ code: "Z_DATA_ERROR" });
    const dropped = zlib.createDeflate();
    dropped.write("x".repeat(300_000));
    dropped.destroy();
    await once(dropped, "close");
    const again = zlib.createDeflate();
    await new Promise<void>((resolve) => again.params(9, zlib.constants.Z_FILTERED, () => resolve()));
    await new Promise<void>((resolve) => again.flush(() => resolve()));
    again.end("end");
    expect(zlib.inflateSync(Buffer.concat(await again.toArray())).toString()).toBe("end");
  });
});

test("arguments, errors and forms are Node's", async () => {
  const before = { name: fs.readFile.name, length: fs.readFile.length, promises: fs.promises };
  await within(recordingRun().frame, async () => {
    expect(() => fs.readFile(file, undefined as never)).toThrow(TypeError);
    expect(() => fs.readFile({} as never, () => {})).toThrow(TypeError);
    await expect(fs.promises.readFile({} as never)).rejects.toThrow(TypeError);
    expect(() => zlib.gzip("x", undefined as never)).toThrow(TypeError);
    expect(
      crypto.sign("sha256", Buffer.from("x"), crypto.generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
    ).toBeInstanceOf(Buffer);
    await expect(promisify(fs.realpath.native)(folder)).resolves.toBe(folder);
    const { bytesRead } = await promisify(fs.read)(fs.openSync(file, "r"), Buffer.alloc(5), 0, 5, 0);
    expect(bytesRead).toBe(5);
  });
  expect({ name: fs.readFile.name, length: fs.readFile.length, promises: fs.promises }).toEqual(before);
  expect([before.name, before.length]).toEqual(["readFile", 3]);
});
