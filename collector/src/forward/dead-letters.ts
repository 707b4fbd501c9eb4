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

/** Keeps what a destination did not take. */
export interface DeadLetters {
  /** On disk when it resolves. False: there is no room for it by `maxBytes`, and it is lost to this destination. */
  add(letter: DeadLetter): Promise<boolean>;
  held(): { readonly letters: number; readonly bytes: number };
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

  return {
    held: () => ({ letters, bytes: held }),
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
      letters++;
      const line = { time: new Date(at).toISOString(), file: name, spans, bytes: body.length, reason };
      await appendFile(join(folder, "index.jsonl"), `${JSON.stringify(line)}\n`, { mode: 0o600 });
      return true;
    },
  };
}
