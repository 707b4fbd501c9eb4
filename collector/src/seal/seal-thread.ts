import { parentPort, workerData } from "node:worker_threads";
import { errorCode } from "@reenact/envelope";
import { type PackedColumns, unpackColumns } from "./packed-columns.ts";
import { createReusedSpace } from "./reused-space.ts";
import { sealRun, type SealedFrames, type SealPolicy, type SealTask } from "./seal-run.ts";
import type { JournalAddress } from "../journal/journal.ts";
import { openJournalBytes } from "../journal/open-journal-bytes.ts";
import { createSpillFile } from "./spill-file.ts";
import { behindTheOthers } from "./thread-priority.ts";

/** The `workerData` of the sealing thread. */
export interface SealThreadData {
  readonly journal: JournalAddress;
  /** for what is too large for memory */
  readonly spillFolder: string;
  readonly policy: SealPolicy;
}

/** Tasks that came together. */
export interface AskedSeals {
  /** one after another */
  readonly columns: PackedColumns;
  readonly tasks: readonly { readonly id: number; readonly task: Omit<SealTask, "columns"> }[];
}

/** The place of a frame in the bytes of its message. */
export interface FramePlace {
  readonly from: number;
  readonly to: number;
}

/** The thread's answer for one or several runs, whose frames lie in `bytes` or in files. */
export interface SealAnswers {
  readonly bytes: Uint8Array;
  readonly answers: readonly (
    | { readonly id: number; readonly error: Error; readonly code: unknown }
    | { readonly id: number; readonly sealed: WithPlaces | null }
  )[];
}
type WithPlaces = Omit<SealedFrames, "frames"> & {
  readonly frames: readonly (FramePlace | Exclude<SealedFrames["frames"][number], Uint8Array>)[];
};

/** A message is sent when its frames have so many bytes, or nothing more is asked. */
const ANSWER_BYTES = 256 * 1024;
/** A run of more bytes is not held in memory. */
const LARGE = 64 * 1024 ** 2;

const { journal, spillFolder, policy } = workerData as SealThreadData;
const bytes = openJournalBytes(journal);
const tools = {
  read: bytes.read,
  check: bytes.check,
  space: createReusedSpace(),
  spill: () => createSpillFile(spillFolder),
  largeBytes: LARGE,
};

behindTheOthers();
const port = parentPort!;
let last: Promise<void> = Promise.resolve();
port.on("message", (asked: AskedSeals) => void (last = last.then(() => sealAll(asked))));

async function sealAll(asked: AskedSeals): Promise<void> {
  const columns = unpackColumns(asked.columns);
  let frames: Uint8Array[] = [];
  let answers: SealAnswers["answers"][number][] = [];
  let length = 0;
  const send = () => {
    // memory of its own, so that it is moved and nothing beside it
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const frame of frames) {
      bytes.set(frame, at);
      at += frame.length;
    }
    port.postMessage({ bytes, answers } satisfies SealAnswers, [bytes.buffer]);
    [frames, answers, length] = [[], [], 0];
  };
  const place = (frame: SealedFrames["frames"][number]) => {
    if (!(frame instanceof Uint8Array)) return frame;
    frames.push(frame);
    const from = length;
    length += frame.length;
    return { from, to: length };
  };
  for (const [at, { id, task }] of asked.tasks.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- they share their memory
      const sealed = await sealRun({ ...task, columns: columns[at]! }, policy, tools);
      answers.push({ id, sealed: sealed && { ...sealed, frames: sealed.frames.map(place) } });
    } catch (error) {
      // a copy of an error has no code
      const code = errorCode(error);
      answers.push({ id, error: error instanceof Error ? error : new Error(String(error)), code });
    }
    if (length >= ANSWER_BYTES) send();
  }
  if (answers.length > 0) send();
  bytes.tidy();
}
