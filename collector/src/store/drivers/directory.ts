import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, makeFolder } from "@reenact/envelope";
import { piecesOf } from "../object-body.ts";
import { objectKey } from "../object-key.ts";
import { objectRange } from "../object-range.ts";
import type { ObjectBody, ObjectStore, PutOutcome, ReadStore } from "../object-store.ts";
import { StoreError } from "../store-error.ts";

const INCOMING = ".incoming";

/**
 * Objects as files below `root`, on one local file system. A new file is written and synced under another name, then
 * linked or renamed into its place and the folder synced: a crash leaves the whole object or none.
 */
export async function openDirectoryStore(root: string): Promise<ObjectStore> {
  await named(`store ${root}`, async () => {
    const incoming = join(root, INCOMING);
    makeFolder(fs, incoming);
    // What a crash left half written: no other process writes here.
    for (const name of await readdir(incoming)) await gone(unlink(join(incoming, name)));
    await syncFolder(root);
  });
  return directoryStore(root);
}

/** To read what is there, also while a collector writes; nothing is made. Throws `NO_BUCKET` where there is no folder. */
export async function readDirectoryStore(root: string): Promise<ReadStore> {
  const there = await named(`store ${root}`, () => stat(root).catch(nullIfMissing));
  if (!there?.isDirectory()) throw new StoreError("NO_BUCKET", `store ${root}`, "there is no such folder");
  return directoryStore(root);
}

function directoryStore(root: string): ObjectStore {
  const incoming = join(root, INCOMING);
  const pathOf = (key: string) => join(root, ...objectKey(key).split("/"));

  async function write(body: ObjectBody): Promise<string> {
    const path = join(incoming, randomUUID());
    const file = await open(path, "wx");
    try {
      for await (const piece of piecesOf(body)) await file.writeFile(piece);
      await file.sync();
      return path;
    } catch (error) {
      await gone(unlink(path));
      throw error;
    } finally {
      await file.close();
    }
  }

  return {
    put: (key, body) =>
      named(`put ${key}`, async () => {
        const path = pathOf(key);
        const fresh = await write(body);
        await makeFolders(root, dirname(path));
        await rename(fresh, path);
        await syncFolder(dirname(path));
      }),
    putIfAbsent: (key, body) =>
      named(`put ${key}`, async (): Promise<PutOutcome> => {
        const path = pathOf(key);
        const fresh = await write(body);
        let outcome: PutOutcome = "created";
        try {
          await makeFolders(root, dirname(path));
          await link(fresh, path);
        } catch (error) {
          if (errorCode(error) !== "EEXIST") throw error;
          outcome = (await equalFile(path, body)) ? "same" : "different";
        } finally {
          await gone(unlink(fresh));
        }
        // Also for an object that was there: whoever wrote it may have died before this.
        await syncFolder(dirname(path));
        return outcome;
      }),
    getRange: (key, offset, length) =>
      named(`get ${key}`, async () => {
        const file = await open(pathOf(key), "r");
        try {
          const { from, to } = objectRange(key, (await file.stat()).size, offset, length);
          return await readRange(file, from, to);
        } finally {
          await file.close();
        }
      }),
    head: (key) =>
      named(`head ${key}`, async () => {
        const found = await stat(pathOf(key)).catch(nullIfMissing);
        return found?.isFile() ? { key, size: found.size, modified: found.mtimeMs } : null;
      }),
    async *list(prefix, after = "") {
      for await (const key of keysBelow(root, "", prefix, after)) {
        const found = await named(`list ${prefix}`, () => stat(pathOf(key)).catch(nullIfMissing));
        if (found) yield { key, size: found.size, modified: found.mtimeMs };
      }
    },
    delete: (key) =>
      named(`delete ${key}`, async () => {
        const path = pathOf(key);
        await unlink(path).catch(nullIfMissing);
        await syncFolder(dirname(path)).catch(nullIfMissing);
      }),
  };
}

/** Keys in order: a folder sorts as its name with a slash behind it. */
async function* keysBelow(root: string, folder: string, prefix: string, after: string): AsyncGenerator<string> {
  const read = () => readdir(join(root, folder), { withFileTypes: true }).catch(nullIfMissing);
  const entries = (await named(`list ${prefix}`, read)) ?? [];
  const names = entries
    .filter((each) => (each.isFile() || each.isDirectory()) && !(folder === "" && each.name === INCOMING))
    .map((each) => `${folder}${each.name}${each.isDirectory() ? "/" : ""}`);
  for (const name of names.toSorted()) {
    if (!name.endsWith("/")) {
      if (name.startsWith(prefix) && name > after) yield name;
    } else if ((name.startsWith(prefix) || prefix.startsWith(name)) && !(name <= after && !after.startsWith(name))) {
      yield* keysBelow(root, name, prefix, after);
    }
  }
}

async function readRange(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(to - from);
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, from + done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}

async function equalFile(path: string, body: ObjectBody): Promise<boolean> {
  const file = await open(path, "r");
  try {
    if ((await file.stat()).size !== body.length) return false;
    let at = 0;
    for await (const piece of piecesOf(body)) {
      if (Buffer.compare(await readRange(file, at, at + piece.length), piece) !== 0) return false;
      at += piece.length;
    }
    return true;
  } finally {
    await file.close();
  }
}

/** Creates missing folders and syncs the parent of each new one. */
async function makeFolders(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let at = folder; at.length >= first.length && at !== root; at = dirname(at)) await syncFolder(dirname(at));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

const gone = (removal: Promise<void>) => removal.catch(nullIfMissing);

async function named<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    const told = (name: ConstructorParameters<typeof StoreError>[0], why: string) =>
      new StoreError(name, what, why, { cause: error });
    if (code === "ENOENT" || code === "EISDIR") throw told("NO_OBJECT", "there is no such object");
    if (code === "ENOSPC" || code === "EDQUOT") throw told("FULL", "no space left");
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") throw told("DENIED", code);
    throw StoreError.from(error, what);
  }
}
