import type { PackEntry } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import { type CloseLimits, reasonText } from "../assemble/close-policy.ts";
import type { SealJob } from "../assemble/seal-job.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunPart } from "../catalog/run-row.ts";
import { type Log, noLog } from "../log.ts";
import { flagNames, joinMarks } from "../retain/mark.ts";
import { marksOf } from "../retain/marks-of.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { PackConflict, type Packer } from "./packer.ts";
import { packEntryOf, readNewest } from "./read-newest.ts";
import { retrying } from "./retrying.ts";
import type { SealTask } from "./seal-run.ts";
import type { SealWorker } from "./seal-worker.ts";

export interface SealerDeps {
  readonly store: ObjectStore;
  readonly catalog: Pick<Catalog, "get">;
  readonly worker: SealWorker;
  readonly packer: Packer;
  readonly limits: CloseLimits;
  /** Keeps the raw spans of a run that cannot be sealed, whatever the reason; it is then done with. */
  readonly setAside: (job: SealJob, error: unknown) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log?: Log;
}

/** Runs that are read and compressed at a time: one in work, one behind it … */
const AT_ONCE = 2;
/** … or more that are small, so that what is asked and answered of them goes together: bytes of all, and their number. */
const SMALL_BYTES = 1024 ** 2;
const SMALL_AT_ONCE = 64;
/** A small run waits so long for others, milliseconds. */
const GATHER_MS = 20;
const WAITS_BELOW = 256 * 1024;
const TRIES = 3;

interface Before {
  readonly previous: SealTask["previous"];
  readonly atLeast: RetentionClass;
  readonly marks: SealTask["marks"];
  readonly elsewhere: SealTask["elsewhere"];
  /** what its pack says of it; absent: there is none any more */
  readonly own?: PackEntry;
}

const NOTHING: Before = { previous: null, atLeast: "short", marks: [], elsewhere: [] };

/** Seals runs, each behind the revision of it that is sealed already. Resolves when the run is committed. */
export function createSealer(deps: SealerDeps): { seal(job: SealJob): Promise<void>; waiting(): number } {
  const { store, catalog, worker, packer, limits, signal, log = noLog } = deps;
  const queue: { readonly bytes: number; readonly begin: () => void }[] = [];
  const working = { runs: 0, bytes: 0 };

  const hasRoom = (bytes: number) =>
    working.runs < AT_ONCE || (working.runs < SMALL_AT_ONCE && working.bytes + bytes <= SMALL_BYTES);

  let gathering: NodeJS.Timeout | null = null;

  function beginSome(): void {
    if (gathering) clearTimeout(gathering);
    gathering = null;
    for (let next = queue[0]; next && hasRoom(next.bytes); next = queue[0]) {
      queue.shift();
      working.runs++;
      working.bytes += next.bytes;
      next.begin();
    }
  }

  async function turn<T>({ bytes }: SealJob, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      queue.push({ bytes, begin });
      if (bytes >= WAITS_BELOW) beginSome();
      else gathering ??= setTimeout(beginSome, GATHER_MS);
    });
    try {
      return await work();
    } finally {
      working.runs--;
      working.bytes -= bytes;
      beginSome();
    }
  }

  async function before(job: SealJob): Promise<Before> {
    const elsewhere: Uint8Array[] = [];
    for (const other of await job.others()) elsewhere.push(...(await newestOf(job.tenant, other)));
    return { ...(await ownBefore(job)), elsewhere };
  }

  /** Its envelope, or nothing if there is none any more. */
  async function newestOf(tenant: string, run: string): Promise<Uint8Array[]> {
    const read = (part: RunPart) => store.getRange(part.key, part.offset, part.length);
    const newest = await readNewest(catalog, { tenant, run }, read);
    return newest?.found ? [newest.found] : [];
  }

  async function ownBefore(job: SealJob): Promise<Before> {
    const newest = await readNewest(catalog, job, async (part) => {
      const entry = await packEntryOf(store, job.run, part);
      return { entry, previous: await previousOf(part.key, entry) };
    });
    if (!newest) return NOTHING;
    const { row, part, found } = newest;
    // It has expired: what comes now is all there is, under the next number.
    if (!found) return { ...NOTHING, previous: { revision: part.revision, content: part.content, envelope: null } };
    const { entry, previous } = found;
    return { previous, atLeast: row.class, marks: marksOf(entry), elsewhere: [], own: entry };
  }

  async function previousOf(key: string, entry: PackEntry): Promise<NonNullable<SealTask["previous"]>> {
    const { revision, content, offset, length } = entry;
    return { revision, content, envelope: await store.getRange(key, offset, length) };
  }

  async function sealOnce(job: SealJob, conflict: PackConflict | null): Promise<void> {
    const retry = { event: "seal.waits-for-store", log, signal, giveUp: (error: unknown) => !isPassing(error) };
    const sealed = await turn(job, async () => {
      await packer.room();
      const { own, ...known } = await retrying(() => before(job), retry);
      const previous = conflict
        ? await retrying(() => previousOf(conflict.key, conflict.entry), retry)
        : known.previous;
      const text = reasonText(job.reason, limits);
      const task = { run: job.run, reasons: text === null ? [] : [text], columns: job.columns() };
      const marks = joinMarks(joinMarks(known.marks, conflict ? marksOf(conflict.entry) : []), job.marks);
      const frames = await worker.seal({ ...task, ...known, marks, previous });
      return frames && { frames, marks, own };
    });
    if (!sealed) return;
    // a clock that was put back makes no copy expire before the one whose place it takes
    const { own } = sealed;
    const first = Math.min(job.firstReceived, own?.receipt.first ?? Infinity);
    const last = Math.max(job.lastReceived, own?.receipt.last ?? 0);
    const receipt = { first, last, closed: job.reason, ...(sealed.marks.length > 0 && { marks: sealed.marks }) };
    const flags = flagNames(sealed.marks);
    const item = { tenant: job.tenant, sealed: sealed.frames, receipt, flags };
    await packer.add({ ...item, hasPrevious: own !== undefined });
  }

  async function seal(job: SealJob): Promise<void> {
    let conflict: PackConflict | null = null;
    for (let failures = 0; ;) {
      try {
        return await sealOnce(job, conflict);
      } catch (error) {
        // the spans stay in the journal; nothing of them may be written any more where another one owns the store
        if (signal.aborted || isTaken(error)) throw error;
        if (error instanceof PackConflict) {
          conflict = error;
          continue;
        }
        failures++;
        log("error", "seal.failed", { tenant: job.tenant, run: job.run, bytes: job.bytes, failures, error });
        if (failures >= TRIES) return deps.setAside(job, error);
      }
    }
  }

  return { seal, waiting: () => queue.length + working.runs };
}

const isTaken = (error: unknown) => error instanceof StoreError && error.code === "TAKEN";
const isPassing = (error: unknown) => !(error instanceof StoreError) || error.retryable || error.code === "DENIED";
