import { join } from "node:path";
import type { ScannedSpan } from "@reenact/envelope";
import { type SpoolReading, spoolReading } from "../seal/spooled-run.ts";
import { advanceCursor } from "../spool/cursor.ts";
import type { StoreLayout } from "../config/store-layout.ts";
import type { Link, Trouble } from "./link.ts";
import { openTail, type SpoolTail } from "./spool-tail.ts";

/** One destination's way through what one process writes, file after file. */
export interface Follower {
  readonly link: Link;
  /** Sends what has come. Null: all of it is there. */
  step(signal: AbortSignal): Promise<Trouble | null>;
  /** files that were closed, and all of them is there */
  readonly finished: ReadonlySet<string>;
  /** the file that it is in is one of those: after a step without trouble there is no further one */
  readonly done: boolean;
  /** the file that it is in, by the name before the dot; null: none has been begun */
  readonly current: string | null;
  close(): void;
}

/** Spans of so many bytes go together. */
const BATCH = 1024 * 1024;
/** past the end of any file */
const ALL = Number.MAX_SAFE_INTEGER;

export function followSpool(layout: StoreLayout, instance: string, link: Link): Follower {
  let files = -1;
  let stem: string | null = null;
  let tail: SpoolTail | null = null;
  let reading: SpoolReading | null = null;
  let batch: ScannedSpan[] = [];
  let bytes = 0;
  let end = 0;
  let lost = false;
  const finished = new Set<string>();

  function next(): boolean {
    const name = files < 0 ? instance : `${instance}-${files + 1}`;
    const found = openTail(join(layout.spool, `${name}.spool`));
    if (found === null) return false;
    tail?.close();
    tail = found;
    files++;
    stem = name;
    lost = false;
    reading = spoolReading((_, span) => {
      batch.push(span);
      bytes += span.span.length;
    });
    return true;
  }

  /** Reads until there is enough to send, or nothing more. */
  function fill(from: SpoolTail, into: SpoolReading): void {
    for (;;) {
      let frames: ReturnType<SpoolTail["read"]>;
      try {
        frames = from.read();
      } catch {
        lost = true; // a shipper reads around damage, once the file is whole
        return;
      }
      for (const frame of frames) {
        into.take(frame);
        end = frame.end;
      }
      if (frames.length === 0 || bytes >= BATCH) return;
    }
  }

  async function step(signal: AbortSignal): Promise<Trouble | null> {
    if (tail === null && !next()) return null;
    for (;;) {
      if (tail !== null && reading !== null && !lost && batch.length === 0) fill(tail, reading);
      if (batch.length > 0) {
        const trouble = await sendBatch(signal);
        if (trouble !== null) return trouble;
      } else if (!isOver() || !next()) return null;
    }
  }

  async function sendBatch(signal: AbortSignal): Promise<Trouble | null> {
    const trouble = await link.send(batch, signal);
    if (trouble !== null) return trouble;
    batch = [];
    bytes = 0;
    note(end);
    return null;
  }

  /** Whether nothing more of the current file is sent from here; notes one that was closed. */
  function isOver(): boolean {
    const closed = reading?.content.closed === true && !lost;
    if (closed && stem !== null && !finished.has(stem)) {
      finished.add(stem);
      note(ALL);
    }
    // the process that has claimed the file sends the rest of it
    return closed || lost || tail?.isGone() === true;
  }

  function note(sent: number): void {
    if (stem === null) return;
    advanceCursor(layout, stem, link.destination.target, { sent, lacks: link.refused.spans > 0 });
  }

  return {
    link,
    step,
    finished,
    get done() {
      return stem !== null && finished.has(stem);
    },
    get current() {
      return stem;
    },
    close() {
      tail?.close();
      link.close();
    },
  };
}
