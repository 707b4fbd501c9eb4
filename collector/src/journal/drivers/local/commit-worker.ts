import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { errorCode } from "../../error-code.ts";
import { diskFiles, type JournalFiles } from "./journal-files.ts";
import {
  LONG,
  padded,
  readRecordFacts,
  RECORD_HEAD,
  recordSize,
  RING_FILLER,
  SEGMENT_HEAD,
  stampRecord,
} from "./record.ts";
import { recover } from "./recover.ts";
import { type CommitMessage, type CommitWorkerData, RingControl } from "./ring.ts";
import { segmentPath } from "./segment-name.ts";
import { SegmentWriter } from "./segment-writer.ts";

// The journal's own thread. It blocks: until something is published, then in write and sync. It never returns to its
// event loop before the end, so a busy disk or a busy libuv pool holds up nothing but the answers.

const data = workerData as CommitWorkerData;
const port = parentPort!;
const post = (message: CommitMessage) => port.postMessage(message);
const ring = Buffer.from(data.ring.bytes);
const view = new DataView(data.ring.bytes);
const control = new RingControl(data.ring.control);
const nap = new Int32Array(new SharedArrayBuffer(4));
const PAD = Buffer.alloc(8);
/** below this much a commit waits a moment for more */
const LINGER_BELOW = 256 * 1024;
/** pieces of one write: what writev takes at most is 1,024 */
const MAX_PIECES = 1000;

const causeOf = (error: unknown) => ({
  code: errorCode(error) ?? null,
  message: error instanceof Error ? error.message : String(error),
});

interface Batch {
  pieces: Uint8Array[];
  /** bytes on disk */
  length: number;
  /** ring position behind it */
  upTo: number;
}

/** Takes what is published from `done` on, stamped for the segment, joined into as few pieces as it can. */
function take(done: number, head: number, writer: SegmentWriter): Batch {
  const batch: Batch = { pieces: [], length: 0, upTo: done };
  let run = -1;
  let runEnd = -1;
  const flush = () => {
    if (run >= 0 && runEnd > run) batch.pieces.push(ring.subarray(run, runEnd));
    run = -1;
  };
  while (batch.upTo < head && batch.pieces.length < MAX_PIECES - 4) {
    const at = batch.upTo % ring.length;
    if (view.getUint32(at, true) === RING_FILLER) {
      flush();
      batch.upTo += ring.length - at;
      continue;
    }
    const facts = readRecordFacts(view, at);
    const size = padded(recordSize(facts));
    if ((facts.flags & LONG) !== 0) {
      flush();
      const body = longBody();
      const front = RECORD_HEAD + facts.tenantLength;
      stampRecord(ring, view, at, writer.id, body);
      batch.pieces.push(ring.subarray(at, at + front), body, PAD.subarray(0, size - recordSize(facts)));
      batch.upTo += padded(front);
    } else {
      stampRecord(ring, view, at, writer.id);
      if (run < 0) run = at;
      runEnd = at + size;
      batch.upTo += size;
    }
    batch.length += size;
  }
  flush();
  return batch;
}

function longBody(): Uint8Array {
  const received = receiveMessageOnPort(port);
  if (!received) throw new Error("a long body was announced and did not come");
  return received.message;
}

let nextLook = 0;
let free = Number.POSITIVE_INFINITY;

/** Looked up at most five times a second. */
function spaceLeft(files: JournalFiles): number {
  const now = performance.now();
  if (now >= nextLook) {
    nextLook = now + 200;
    free = files.free(data.folder);
  }
  return free;
}

function commit(done: number, head: number, writer: SegmentWriter, files: JournalFiles): number {
  let batch: Batch | undefined;
  try {
    if (!writer.open || writer.end >= data.segmentBytes) writer.next();
    batch = take(done, head, writer);
    const left = spaceLeft(files) - batch.length;
    if (left < data.minFreeBytes) {
      nextLook = 0;
      throw Object.assign(new Error(`less than ${data.minFreeBytes} bytes would be free`), { code: "ENOSPC" });
    }
    free = left;
    const offset = writer.end;
    writer.append(batch.pieces, batch.length);
    post({ kind: "durable", upTo: batch.upTo, segment: writer.id.segment, offset, end: writer.end, free });
  } catch (error) {
    batch ??= take(done, head, writer);
    post({ kind: "lost", upTo: batch.upTo, ...causeOf(error) });
  }
  return batch.upTo;
}

function open(files: JournalFiles): SegmentWriter {
  files.makeFolder(data.folder);
  const found = recover(data.folder, files);
  const writer = new SegmentWriter(data.folder, files, found.segments.at(-1)?.segment ?? 0);
  writer.next();
  const empty = found.segments.filter(({ end }) => end <= SEGMENT_HEAD);
  for (const { segment } of empty) files.remove(segmentPath(data.folder, segment));
  const segments = found.segments.filter((each) => !empty.includes(each));
  post({ kind: "ready", ...found, segments, segment: writer.id.segment });
  return writer;
}

function serve(writer: SegmentWriter, files: JournalFiles): void {
  let done = 0;
  while (control.waitPast(done)) {
    let head = control.published();
    if (data.lingerMs > 0 && head - done < LINGER_BELOW) {
      Atomics.wait(nap, 0, 0, data.lingerMs);
      head = control.published();
    }
    done = commit(done, head, writer, files);
  }
  writer.finish();
}

const files = data.files === null ? diskFiles : ((await import(data.files)) as { files: JournalFiles }).files;
let writer: SegmentWriter | null = null;
try {
  writer = open(files);
} catch (error) {
  post({ kind: "refused", ...causeOf(error) });
}
if (writer) serve(writer, files);
port.close();
