import { appendFile, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

export interface DeadLetter {
  /** one ExportTraceServiceRequest, as it was sent */
  readonly body: Uint8Array;
  readonly spans: number;
  readonly reason: string;
  /** milliseconds since the epoch */
  readonly at: number;
}

/** A letter that is held, without its body. */
export interface HeldLetter {
  /** milliseconds since the epoch */
  readonly at: number;
  readonly file: string;
  readonly spans: number;
  readonly bytes: number;
  readonly reason: string;
}

/** Keeps what a destination did not take. */
export interface DeadLetters {
  /** On disk when it resolves. False: there is no room for it by `maxBytes`, and it is lost to this destination. */
  add(letter: DeadLetter): Promise<boolean>;
  held(): { readonly letters: number; readonly bytes: number };
  /** Those that are held, the oldest first, at most so many. */
  list(most: number): Promise<readonly HeldLetter[]>;
  /**
   * Gives each letter, the oldest first, to `send`, and removes those of which it says null; ends with the first of which it says
   * why not. Letters that come meanwhile stay.
   */
  empty(send: (body: Uint8Array) => Promise<string | null>): Promise<{ gone: number; why: string | null }>;
}

/**
 * A folder with one file per letter, which `curl --data-binary @file` can send again, and `index.jsonl` with one line
 * for each: time, file, spans, bytes, reason.
 */
export async function openDeadLetters(folder: string, maxBytes: number): Promise<DeadLetters> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = (await readdir(folder)).filter((name) => name.endsWith(".otlp"));
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
  let held = sizes.reduce((sum, size) => sum + size, 0);
  let count = files.length;
  let letters = files.length;
  let emptying: Promise<unknown> = Promise.resolve();

  async function empty(send: (body: Uint8Array) => Promise<string | null>) {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".otlp")).toSorted();
    let gone = 0;
    for (const name of names) {
      const path = join(folder, name);
      const body = await readFile(path);
      const why = await send(body);
      if (why !== null) return { gone, why };
      await rm(path);
      held -= body.length;
      letters--;
      gone++;
    }
    return { gone, why: null };
  }

  async function list(most: number): Promise<HeldLetter[]> {
    const there = new Set((await readdir(folder)).filter((name) => name.endsWith(".otlp")));
    const lines = there.size === 0 ? [] : (await readFile(join(folder, "index.jsonl"), "utf8")).split("\n");
    const found: HeldLetter[] = [];
    for (const line of lines) {
      if (found.length >= most) break;
      const letter = readLine(line);
      if (letter && there.has(letter.file)) found.push(letter);
    }
    return found;
  }

  return {
    held: () => ({ letters, bytes: held }),
    list,
    empty(send) {
      // one after another: no letter is sent twice
      const mine = emptying.then(() => empty(send));
      emptying = mine.catch(() => {});
      return mine;
    },
    async add({ body, spans, reason, at }) {
      if (held + body.length > maxBytes) return false;
      held += body.length;
      const name = `${new Date(at).toISOString().replaceAll(/[:.]/g, "-")}-${process.pid}-${count++}.otlp`;
      const file = await open(join(folder, name), "wx", 0o600);
      try {
        await file.writeFile(body);
        await file.sync();
      } finally {
        await file.close();
      }
      const line = { time: new Date(at).toISOString(), file: name, spans, bytes: body.length, reason };
      await appendFile(join(folder, "index.jsonl"), `${JSON.stringify(line)}\n`, { mode: 0o600 });
      letters++;
      return true;
    },
  };
}

/** null: the process ended while the line was written. */
function readLine(line: string): HeldLetter | null {
  try {
    const { time, ...letter } = JSON.parse(line) as Omit<HeldLetter, "at"> & { readonly time: string };
    return { at: Date.parse(time), ...letter };
  } catch {
    return null;
  }
}
