import fs from "node:fs";
import { isLive, type Scrubber } from "@reenact/capture";
import type { StreamDigest } from "@reenact/redaction";
import { redactionPackage } from "./lazy-packages.ts";

export interface StdoutTap {
  /** Digest of what was written so far; null when there was too much, or not all of it was scanned. `translate`: see `StreamDigest.end`. */
  end(translate?: (token: string) => string): { sha256: string; bytes: number } | null;
  undo(): void;
}

/** Output is kept raw up to this size, so that a program without a run pays nothing for it. */
const HELD = 1024 * 1024;
/** Above this nothing more is digested. */
const MOST = 256 * 1024 * 1024;

type Write = typeof process.stdout.write;

/**
 * Listens to what the program writes to standard output: through `process.stdout`, which is still made only when the
 * program asks for it, and through `fs.writeSync(1, …)`.
 */
export function tapStdout(scrubber: Scrubber): StdoutTap {
  let held: (string | Uint8Array)[] = [];
  let heldBytes = 0;
  let total = 0;
  let digest: StreamDigest | null = null;
  let inside = 0;

  function heard(chunk: unknown, encoding: unknown): void {
    if (total > MOST) return;
    const piece =
      typeof chunk === "string"
        ? typeof encoding === "string" && !/^utf-?8$/i.test(encoding)
          ? Buffer.from(chunk, encoding as BufferEncoding)
          : chunk
        : chunk instanceof Uint8Array
          ? chunk.slice()
          : null;
    if (piece === null) return;
    held.push(piece);
    heldBytes += piece.length;
    total += piece.length;
    if (heldBytes > HELD) feed();
  }

  function feed(): void {
    digest ??= new (redactionPackage().StreamDigest)(scrubber);
    for (const piece of held) digest.write(piece);
    held = [];
    heldBytes = 0;
  }

  const undoStream = onFirstStdout((stream) => {
    const real = stream.write;
    const write = function (this: unknown, ...args: Parameters<Write>): boolean {
      inside++;
      try {
        const kept = Reflect.apply(real, this, args);
        if (!isLive()) heard(args[0], args[1]);
        return kept;
      } finally {
        inside--;
      }
    } as Write;
    Object.defineProperty(write, "name", { value: real.name, configurable: true });
    Object.defineProperty(write, "length", { value: real.length, configurable: true });
    Object.defineProperty(stream, "write", { value: write, writable: true, configurable: true, enumerable: false });
  });
  const undoFs = onWriteSync(1, (data, encoding) => {
    if (inside === 0 && !isLive()) heard(data, encoding);
  });

  return {
    end(translate) {
      if (total > MOST) return null;
      if (scrubber.answersLater === true && !isAnswered(held, total, scrubber)) return null;
      feed();
      return (digest as unknown as StreamDigest).end(translate);
    },
    undo() {
      undoStream();
      undoFs();
      held = [];
    },
  };
}

/** Detectors that answer later are asked about all lines at once: line by line it would take too long. */
function isAnswered(held: readonly (string | Uint8Array)[], total: number, scrubber: Scrubber): boolean {
  if (total > HELD) return false;
  const text = held.map((piece) => (typeof piece === "string" ? piece : Buffer.from(piece).toString())).join("");
  const lines = JSON.stringify(text.split(/(?<=\n)/));
  // one in a text in a text is not counted
  return !/UNSCANNED_\d/.test(scrubber.scrub(lines, { mime: "application/json" }).text);
}

/** Node makes the stream when it is first asked for, and making it has effects (a pipe is opened): so do we. */
function onFirstStdout(meet: (stream: NodeJS.WriteStream) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(process, "stdout");
  const real = before?.get;
  if (before === undefined || real === undefined || before.configurable !== true) return () => {};
  let met = false;
  const get = function stdout(this: NodeJS.Process): NodeJS.WriteStream {
    const stream = Reflect.apply(real, process, []) as NodeJS.WriteStream;
    if (!met) {
      met = true;
      meet(stream);
    }
    return stream;
  };
  Object.defineProperty(get, "name", { value: real.name, configurable: true });
  Object.defineProperty(process, "stdout", { ...before, get });
  return () => {
    if (Object.getOwnPropertyDescriptor(process, "stdout")?.get === get)
      Object.defineProperty(process, "stdout", before);
  };
}

function onWriteSync(fd: number, heard: (data: unknown, encoding: unknown) => void): () => void {
  const real = fs.writeSync;
  const tapped = function writeSync(this: unknown, ...args: Parameters<typeof fs.writeSync>): number {
    const written = Reflect.apply(real, this, args) as number;
    if (args[0] === fd) {
      const [, data, second, third] = args as unknown as [number, unknown, unknown, unknown];
      if (typeof data === "string") heard(data, third);
      else if (ArrayBuffer.isView(data)) {
        const from = typeof second === "number" ? second : 0;
        heard(new Uint8Array(data.buffer, data.byteOffset + from, written), undefined);
      }
    }
    return written;
  } as typeof fs.writeSync;
  Object.defineProperty(tapped, "length", { value: real.length, configurable: true });
  fs.writeSync = tapped;
  return () => {
    if (fs.writeSync === tapped) fs.writeSync = real;
  };
}
