import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { createAssembler } from "../assemble/assembler.ts";
import type { Assembler } from "../assemble/assembler-port.ts";
import { CLOSE_LIMITS, type CloseLimits } from "../assemble/close-policy.ts";
import { requestOf, type SampleSpan } from "../assemble/sample-spans.test.fixture.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { openCatalog } from "../catalog/open-catalog.ts";
import { testCatalog } from "../catalog/test-catalog.test.fixture.ts";
import { runsOfTrace } from "../catalog/runs-of-trace.ts";
import { ENTRY_KIND, JOURNAL_START, type Position, type RunningJournal } from "../journal/journal.ts";
import { createLocalJournal } from "../journal/drivers/local/local-journal.ts";
import { type Log, noLog } from "../log.ts";
import type { RetentionRule } from "../retain/retention-rules.ts";
import { openSealing, type Sealing, type SealingDeps } from "./sealing.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { openSegmentBytes } from "../journal/drivers/local/segment-bytes.ts";
import { sealRun } from "./seal-run.ts";
import { createSpillFile } from "./spill-file.ts";
import type { SealWorker } from "./seal-worker.ts";

/** Journal, assembler, sealer, store and catalog, as the collector puts them together; the clock is the test's. */
export interface Workbench {
  readonly store: ObjectStore;
  /** of the journal's segments */
  readonly journalFolder: string;
  catalog: Catalog;
  journal: RunningJournal;
  assembler: Assembler;
  sealing: Sealing;
  /** milliseconds since the epoch */
  time: number;
  /** milliseconds by which somebody has put the clock forward or back; `time` goes on as before */
  jump: number;
  /** the entry that was sent last */
  sent: Position | null;
  send(spans: readonly SampleSpan[], tenant?: string): Promise<void>;
  sendBody(body: Uint8Array, tenant?: string): Promise<void>;
  /** Waits until everything that was sent is assembled. */
  settled(): Promise<void>;
  /** Lets time pass, and seals and packs what is due; waits for that 10 s at most, or `patience` ms. */
  pass(ms: number, patience?: number): Promise<void>;
  envelope(run: string, tenant?: string): Promise<Envelope | null>;
  /** Loses everything that is not on disk, and begins again; `between` is called when the old one has ended. */
  crash(between?: () => void): Promise<void>;
  close(): Promise<void>;
}

export interface WorkbenchOptions {
  readonly store?: ObjectStore;
  /** folder of a catalog that another one has, too */
  readonly catalogFolder?: string;
  readonly limits?: CloseLimits;
  readonly rules?: readonly RetentionRule[];
  readonly log?: Log;
  /** seals on a thread, as the program does */
  readonly thread?: boolean;
  readonly segmentBytes?: number;
  readonly packBytes?: number;
  readonly maxHeldBytes?: number;
  /** runs of more are sealed span by span; default: none, but on a thread */
  readonly largeBytes?: number;
  /** Called before and after each write to store, catalog and journal: to hold it up, or, by throwing, to crash there. */
  readonly point?: (name: string) => void | Promise<void>;
}

const DAY = 86_400_000;
/** So many looks without a change, and what is not sealed waits for a store, or for a pack. */
const STUCK = 100;

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-workbench-"));
  const { point } = options;
  const at = <A extends unknown[], R>(name: string, write: (...given: A) => Promise<R>) =>
    point === undefined
      ? write
      : async (...given: A): Promise<R> => {
          await point(`before ${name}`);
          const result = await write(...given);
          await point(`after ${name}`);
          return result;
        };
  const plain = options.store ?? createMemoryStore();
  const store: ObjectStore =
    point === undefined
      ? plain
      : {
          ...plain,
          put: at("store.put", plain.put),
          putIfAbsent: at("store.putIfAbsent", plain.putIfAbsent),
          delete: at("store.delete", plain.delete),
        };
  const { limits = CLOSE_LIMITS, log = noLog } = options;
  const policy = { rules: options.rules ?? [], sampleShare: 0, prices: null };
  const journalFolder = join(folder, "journal");
  const elapsed = () => bench.time;
  const now = () => bench.time + bench.jump;
  /** questions to the catalog that are not answered */
  let asking = 0;

  async function start(): Promise<Pick<Workbench, "catalog" | "journal" | "assembler" | "sealing">> {
    const catalog = await openCatalog(testCatalog(join(options.catalogFolder ?? folder, "catalog.sqlite")));
    const journal = await createLocalJournal({
      folder: journalFolder,
      minFreeBytes: 0,
      lingerMs: 0,
      ...(options.segmentBytes !== undefined && { segmentBytes: options.segmentBytes }),
    });
    catalog.apply = at("catalog.apply", catalog.apply);
    journal.append = at("journal.append", journal.append);
    const files = openSegmentBytes(journalFolder);
    const inline: SealWorker = {
      seal: (task) =>
        sealRun(task, policy, {
          read: files.read,
          check: files.check,
          space: (bytes) => new Uint8Array(bytes),
          spill: () => createSpillFile(join(folder, "packs")),
          largeBytes: options.largeBytes ?? Infinity,
        }),
      close: async () => files.close(),
    };
    const deps: SealingDeps = {
      store,
      catalog,
      journal,
      folder,
      policy,
      limits,
      log,
      elapsed,
      now,
      sweepEvery: 0,
      expiry: () => null,
      shares: () => [assembler.share],
      times: {
        short: 30 * DAY,
        sample: 180 * DAY,
      },
      pack: {
        bytes: options.packBytes ?? 64 * 1024 ** 2,
        age: 6e4,
      },
      ...(options.thread ? {} : { worker: inline }),
    };
    const sealing = openSealing(deps);
    await sealing.begun;
    const assembler = createAssembler({
      journal,
      limits,
      log,
      elapsed,
      now,
      ...(options.maxHeldBytes !== undefined && { maxHeldBytes: options.maxHeldBytes }),
      seal: (job) => sealing.seal(job),
      mark: sealing.mark,
      runsOfTrace: async (tenant, trace) => {
        asking++;
        try {
          return await runsOfTrace(catalog, tenant, trace);
        } finally {
          asking--;
        }
      },
    });
    void assembler.run(journal.position(await catalog.cursor("assembler")) ?? JOURNAL_START);
    return { catalog, journal, assembler, sealing };
  }

  async function stop(): Promise<void> {
    await bench.assembler.stop();
    await bench.sealing.close("abandon");
    await bench.journal.close();
    await bench.catalog.close();
  }

  const bench: Workbench = {
    time: Date.parse("2026-11-20T12:00:00Z"),
    jump: 0,
    journalFolder,
    sent: null,
    store,
    ...({} as Awaited<ReturnType<typeof start>>),
    send: (spans, tenant) => bench.sendBody(requestOf(spans), tenant),
    async sendBody(body, tenant = "acme") {
      bench.sent = await bench.journal.append({ tenant, kind: ENTRY_KIND.traces, receivedAt: now(), body });
    },
    settled: () => caughtUp(bench),
    async pass(ms, patience = 10_000) {
      await caughtUp(bench);
      bench.time += ms;
      bench.assembler.tick();
      // Closing and sealing a run ask the catalog and the thread: it is done when nobody waits for an answer.
      const until = Date.now() + patience;
      for (let still = 0, quiet = 0, seen = ""; quiet < 5 && Date.now() < until;) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        const { open, sealing } = bench.assembler.counts();
        const sealed = bench.sealing.counts().waiting;
        const state = JSON.stringify([open, sealing, sealed, bench.sealing.counts()]);
        still = state === seen ? still + 1 : 0;
        quiet = still > 0 && sealing === 0 && asking === 0 ? quiet + 1 : 0;
        seen = state;
        // What is due at the same time is in the same packs, however slow the machine: all of it, before one is written.
        if ((asking === 0 && sealed >= sealing && still > 0) || still > STUCK) await bench.sealing.roll(true);
      }
    },
    async envelope(run, tenant = "acme") {
      const part = (await bench.catalog.get(tenant, run))?.parts.at(-1);
      return part ? readEnvelope(await store.getRange(part.key, part.offset, part.length)) : null;
    },
    async crash(between) {
      await stop();
      between?.();
      Object.assign(bench, await start());
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  Object.assign(bench, await start());
  return bench;
}

/** The assembler has read the entry that was sent last. */
async function caughtUp({ assembler, sent }: Workbench): Promise<void> {
  const isBehind = () => sent !== null && assembler.handled() <= sent;
  while (isBehind()) await new Promise((resolve) => setTimeout(resolve, 1));
}
