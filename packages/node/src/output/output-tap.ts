import fs from "node:fs";
import type { Scrubber } from "@reenact/capture";
import { here, isLive, live, onFirstUse, originals, type RunContext } from "@reenact/capture/recorder";
import type { StreamDigest, TextFacts } from "@reenact/redaction";
import { redactionPackage } from "../own-code/lazy-packages.ts";
import { OutputPlaces } from "./output-places.ts";

/** Facts of one output of the process. */
export interface OutputFacts extends TextFacts {
  /** see `OutputPlaces` */
  places?: number[];
  /** output of tool bodies, by number of the tool step: a replay that serves the tool does not print it */
  tools?: Record<string, TextFacts>;
}

export interface OutputTap {
  /** Facts of the output so far; null when there was too much, or not all of it was scanned. `translate`: see `StreamDigest.end`. */
  end(translate?: (token: string) => string): OutputFacts | null;
  /** Adds text that reaches the output on a way of its own. */
  add(text: string): void;
  undo(): void;
}

export interface OutputTapOptions {
  scrubber: Scrubber;
  stream: "stdout" | "stderr";
  /** characters of text of which the lines are kept; default: see `StreamDigest` */
  keep?: number;
  /** bytes above which nothing is compared */
  most?: number;
  /** the process's own run, once it is there */
  processRun?(): RunContext | null;
}

interface Piece {
  scope: number;
  data: string | Uint8Array;
}

/** Output is kept raw up to this size, so that a program without a run pays nothing for it. */
const HELD = 1024 * 1024;
/** So much of it is read in one turn: the program waits for no more. */
const SLICE = 32 * 1024;
/** A program that prints more in one turn waits after all. */
const MOST_HELD = 16 * 1024 * 1024;
/** What a piece costs beside its bytes. */
const OVERHEAD = 64;
/** Above this nothing more is digested. */
const MOST = 256 * 1024 * 1024;
/** The output of further tool bodies is not compared. */
const MOST_TOOLS = 200;
const OUTSIDE = -1;

type Write = typeof process.stdout.write;

/**
 * Listens to an output of the program: through `process.stdout` or `process.stderr`, which is still made only when the
 * program asks for it, and through `fs.writeSync` to its descriptor.
 */
export function tapOutput({ scrubber, stream: name, keep, most = MOST, processRun }: OutputTapOptions): OutputTap {
  let held: Piece[] = [];
  let heldBytes = 0;
  let total = 0;
  let inside = 0;
  let armed = false;
  const digests = new Map<number, StreamDigest>();
  const places = new OutputPlaces();

  function heard(chunk: unknown, encoding: unknown): void {
    if (total > most) {
      held = [];
      return;
    }
    const data = dataOf(chunk, encoding);
    if (data === null) return;
    const frame = here();
    const own = frame === null || processRun === undefined || frame.run === processRun();
    // the numbers of another run's tools are not this run's, and whether they are served is not known here
    if (!own && frame.scope !== OUTSIDE) return;
    const scope = own ? (frame?.scope ?? OUTSIDE) : OUTSIDE;
    if (scope === OUTSIDE) places.wrote(data, own ? (frame?.run?.journal.settles ?? null) : null);
    add({ scope, data });
  }

  function add(piece: Piece): void {
    held.push(piece);
    heldBytes += piece.data.length + OVERHEAD;
    total += piece.data.length;
    if (heldBytes <= HELD) return;
    if (processRun?.()?.isActive === false) drop();
    else if (heldBytes > MOST_HELD) feed();
    else feedLater();
  }

  function feedLater(): void {
    if (armed) return;
    armed = true;
    live(() =>
      originals
        .setImmediate(() => {
          armed = false;
          if (total > most) return;
          feed(SLICE);
          if (heldBytes > HELD / 2) feedLater();
        })
        .unref(),
    );
  }

  /** A program that has taken no agentic step by now pays for no scan; its output is not compared. */
  function drop(): void {
    total = Infinity;
    held = [];
    heldBytes = 0;
  }

  /** Reads what is held, `units` of it or a little more. */
  function feed(units = Infinity): void {
    let left = units;
    let done = 0;
    for (; done < held.length && left > 0; done++) {
      const piece = held[done];
      if (piece === undefined) break;
      const { scope, data } = piece;
      if (data.length > left) {
        digestOf(scope)?.write(data.slice(0, left));
        held[done] = { scope, data: data.slice(left) };
        heldBytes -= left;
        break;
      }
      digestOf(scope)?.write(data);
      left -= data.length + OVERHEAD;
      heldBytes -= data.length + OVERHEAD;
    }
    held.splice(0, done);
  }

  function digestOf(scope: number): StreamDigest | undefined {
    let digest = digests.get(scope);
    if (digest !== undefined || (digests.size > MOST_TOOLS && scope !== OUTSIDE)) return digest;
    digest = new (redactionPackage().StreamDigest)(scrubber, keep);
    digests.set(scope, digest);
    return digest;
  }

  const undoStream = onFirstUse(name, (stream) => {
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
  const undoFs = onWriteSync(name === "stdout" ? 1 : 2, (data, encoding) => {
    if (inside === 0 && !isLive()) heard(data, encoding);
  });

  return {
    add(text) {
      add({ scope: OUTSIDE, data: text });
    },
    end(translate) {
      if (total > most) return null;
      if (scrubber.answersLater === true && !isAnswered(held, total, scrubber)) return null;
      if (!digests.has(OUTSIDE)) digests.set(OUTSIDE, new (redactionPackage().StreamDigest)(scrubber, keep));
      feed();
      const facts = new Map([...digests].map(([scope, digest]) => [scope, digest.end(translate)]));
      const main = facts.get(OUTSIDE);
      if (main === undefined) return null;
      facts.delete(OUTSIDE);
      return {
        ...main,
        ...places.facts(),
        ...(facts.size > 0 && { tools: Object.fromEntries(facts) }),
      };
    },
    undo() {
      undoStream();
      undoFs();
      held = [];
    },
  };
}

/** Detectors that answer later are asked about all lines at once: line by line it would take too long. */
function isAnswered(held: readonly Piece[], total: number, scrubber: Scrubber): boolean {
  if (total > HELD) return false;
  const text = held.map(({ data }) => (typeof data === "string" ? data : Buffer.from(data).toString())).join("");
  const lines = JSON.stringify(text.split(/(?<=\n)/));
  // one in a text in a text is not counted
  return !/UNSCANNED_\d/.test(scrubber.scrub(lines, { mime: "application/json" }).text);
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

/** A copy of a written chunk: text as UTF-8, or bytes; null: Node refuses such a chunk. */
function dataOf(chunk: unknown, encoding: unknown): string | Uint8Array | null {
  if (chunk instanceof Uint8Array) return chunk.slice();
  if (typeof chunk !== "string") return null;
  const isOther = typeof encoding === "string" && !/^utf-?8$/i.test(encoding);
  return isOther ? Buffer.from(chunk, encoding as BufferEncoding) : chunk;
}
