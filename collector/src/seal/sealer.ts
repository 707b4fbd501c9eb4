import { EnvelopeError } from "@reenact/envelope";
import type { PackEntry } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import { type CloseLimits, reasonText } from "../assemble/close-policy.ts";
import type { SealJob } from "../assemble/seal-job.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { RunPart } from "../catalog/run-row.ts";
import type { Log } from "../log.ts";
import { floorOf } from "../retain/choose-class.ts";
import { type Keeper, withEarlier } from "../retain/keeper.ts";
import { flagNames } from "../retain/mark.ts";
import {
  isRemoval,
  joinMarks,
  NO_MARKS,
  receiptOf,
  markListOf,
  standingMarks,
  changesOf,
} from "../retain/mark-list.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import type { RunCommits } from "./commit-runs.ts";
import { PackConflict } from "./pack-conflict.ts";
import type { Packer } from "./packer.ts";
import type { PersistMarks } from "./persist-marks.ts";
import { isTaken } from "./is-taken.ts";
import { packEntryOf, readNewest, type RestoreRow } from "./read-newest.ts";
import { retrying } from "./retrying.ts";
import type { SealedFrames, SealTask } from "./seal-run.ts";
import type { SealWorker } from "./seal-worker.ts";

export interface SealerDeps {
  /** False: sealing was closed, or can never begin. */
  readonly hasBegun: () => Promise<boolean>;
  readonly store: ObjectStore;
  readonly catalog: Pick<Catalog, "get">;
  readonly worker: SealWorker;
  readonly packer: Packer;
  readonly commits: Pick<RunCommits, "has">;
  readonly keeper: Pick<Keeper, "quiet">;
  readonly persistMarks: PersistMarks;
  readonly restoreRow: RestoreRow;
  readonly limits: CloseLimits;
  /** Keeps the raw spans of a run that cannot be sealed, whatever the reason; it is then done with. */
  readonly setAside: (job: SealJob, error: unknown) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Log;
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
  readonly markList: SealTask["markList"];
  readonly floor: SealTask["floor"];
  readonly elsewhere: SealTask["elsewhere"];
  /** the pack of the revision before, and the receipt in it; absent: there is none any more */
  readonly own?: { readonly key: string; readonly receipt: PackEntry["receipt"] };
}

const NOTHING: Before = { previous: null, atLeast: "short", markList: NO_MARKS, floor: null, elsewhere: [] };

/** Seals runs, each behind the revision of it that is sealed already. */
export interface Sealer {
  /** Resolves when the run is in a pack and in the catalog, with its marks. */
  seal(job: SealJob): Promise<void>;
  /** A revision of the run is being sealed and not committed. */
  isSealing(tenant: string, run: string): boolean;
  /** runs that `seal` was called for and has not resolved */
  jobs(): number;
  /** runs that could not be sealed and were set aside */
  failures(): number;
}

export function createSealer(deps: SealerDeps): Sealer {
  const { store, catalog, worker, packer, keeper, limits, signal, log } = deps;
  const jobs = new Map<string, SealJob>();
  let setAside = 0;
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
    const newest = await readNewest(catalog, { tenant, run }, read, deps.restoreRow);
    return newest?.found ? [newest.found] : [];
  }

  async function ownBefore(job: SealJob): Promise<Before> {
    const newest = await readNewest(
      catalog,
      job,
      async (part) => {
        const entry = await packEntryOf(store, job.run, part);
        return { entry, previous: await previousOf(part.key, entry) };
      },
      deps.restoreRow,
    );
    if (!newest) return NOTHING;
    const { row, part, found } = newest;
    // It has expired: what comes now is all there is, under the next number.
    if (!found) return { ...NOTHING, previous: { revision: part.revision, content: part.content, envelope: null } };
    const { entry, previous } = found;
    const { receipt } = entry;
    const own = { key: part.key, receipt };
    return {
      // of a run whose newest revision was lost the row has the number, and the copy is an earlier one
      previous: { ...previous, revision: Math.max(previous.revision, row.revision) },
      atLeast: row.class,
      markList: markListOf(entry),
      floor: floorOf(receipt, row),
      elsewhere: [],
      own,
    };
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
      const task = { run: job.run, reasons: text === null ? [] : [text], columns: await job.columns() };
      // a removal may lower the class of a sealed run, which only the keeper does: it gets them once this revision is sealed
      const taken = own ? job.marks.filter((each) => !isRemoval(each)) : job.marks;
      const inTheWay = conflict ? changesOf(markListOf(conflict.entry)) : [];
      const markList = joinMarks(joinMarks(known.markList, inTheWay), taken);
      // a pack in the way that was never committed: its owner was killed, or is none any more
      const evenIfSame = conflict !== null && !conflict.isCommitted;
      const frames = await worker.seal({ ...task, ...known, markList, previous, evenIfSame });
      return frames && { frames, markList, taken, own };
    });
    if (!sealed) return;
    const { frames, markList, taken, own } = sealed;
    await packer.add({
      job,
      sealed: frames,
      receipt: { ...receiptFor(job, frames, own), ...receiptOf(markList) },
      flags: flagNames(standingMarks(markList)),
      taken,
      hasPrevious: own !== undefined,
    });
  }

  async function sealOrSetAside(job: SealJob): Promise<void> {
    let conflict: PackConflict | null = null;
    for (let failures = 0; ;) {
      try {
        return await sealOnce(job, conflict);
      } catch (error) {
        // the spans stay in the journal; nothing of them may be written any more where another one owns the store, or the journal
        if (signal.aborted || isTaken(error)) throw error;
        if (error instanceof PackConflict) {
          conflict = error;
          continue;
        }
        failures++;
        log("error", "seal.failed", { tenant: job.tenant, run: job.run, bytes: job.bytes, failures, error });
        if (failures < TRIES) continue;
        setAside++;
        return deps.setAside(job, error);
      }
    }
  }

  return {
    async seal(job) {
      const { tenant, run, marks } = job;
      const key = `${tenant}/${run}`;
      jobs.set(key, job);
      try {
        if (!(await deps.hasBegun())) throw new Error("closed");
        await keeper.quiet(tenant, run);
        await sealOrSetAside(job);
        // nothing changes where the revision has them: missing are removals, and all marks where no new span was sealed
        if (marks.length > 0 && !(await deps.persistMarks(tenant, run, marks, job.share.fence)))
          throw new Error("closed");
      } finally {
        jobs.delete(key);
      }
    },
    isSealing(tenant, run) {
      const job = jobs.get(`${tenant}/${run}`);
      return job !== undefined && !deps.commits.has(job);
    },
    jobs: () => jobs.size,
    failures: () => setAside,
  };
}

/** A clock that was put back makes no copy expire before the one whose place it takes. */
function receiptFor(job: SealJob, { floor }: SealedFrames, own: Before["own"]): PackEntry["receipt"] {
  const { first = Infinity, last = 0, countFrom, earlier } = own?.receipt ?? {};
  const receipt = {
    first: Math.min(job.firstReceived, first),
    last: Math.max(job.lastReceived, last),
    closed: job.reason,
    ...(countFrom !== undefined && { countFrom }),
    ...(floor && { floor }),
    ...(earlier && { earlier }),
  };
  return own ? withEarlier(receipt, own.key) : receipt;
}

const isPassing = (error: unknown) =>
  error instanceof StoreError ? error.retryable || error.code === "DENIED" : !(error instanceof EnvelopeError);
