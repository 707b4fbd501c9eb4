import { rm } from "node:fs/promises";
import { type FinishedPack, PackBuilder, type PackEntry, type PackReceipt } from "@reenact/envelope/pack";
import type { SealJob } from "../assemble/seal-job.ts";
import { type Log, noLog } from "../log.ts";
import { receiptDay } from "../retain/retention-times.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import type { ObjectBody, ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { PackConflict } from "./pack-conflict.ts";
import type { PackIntents } from "./pack-intents.ts";
import { isOfRun } from "./is-of-run.ts";
import { isTaken } from "./is-taken.ts";
import { readPackIndexFrom } from "./read-packs.ts";
import { retrying } from "./retrying.ts";
import type { SealedFrames } from "./seal-run.ts";
import type { SealedRun } from "./sealed-run.ts";

export interface PackItem {
  readonly job: SealJob;
  readonly sealed: SealedFrames;
  readonly receipt: PackReceipt;
  /** flags of its marks, beside those in its spans */
  readonly flags: readonly string[];
  /** marks and removals that came while it was open and are in its receipt */
  readonly taken: readonly MarkChange[];
  /** it takes the place of an earlier revision that is in the store */
  readonly hasPrevious: boolean;
}

export interface PackerDeps {
  readonly store: ObjectStore;
  readonly intents: PackIntents;
  /**
   * Makes the runs of one pack known, in one transaction; `items` are those that were given to `add`. `same` false: another
   * pack with the same spans was there, with receipts of its own. Resolves to those that were left out.
   */
  readonly commit: (
    runs: readonly SealedRun[],
    items: readonly PackItem[],
    same: boolean,
  ) => Promise<readonly PackConflict[]>;
  /** a pack is written when it has so many bytes; default 64 MiB */
  readonly maxBytes?: number;
  /** or when its first run has waited for so long; default 60,000 */
  readonly maxAgeMs?: number;
  /** bytes in packs that are not committed, above which `room` waits; default 256 MiB */
  readonly maxPending?: number;
  /** milliseconds that pass whatever is done to the clock */
  readonly elapsed?: () => number;
  readonly log?: Log;
}

export interface Packer {
  /**
   * Resolves when the run is in the store and in the catalog; rejects with `PackConflict`, when it is closed, or with an error that will
   * not pass and is of this run: those that were in one pack with it are stored all the same.
   */
  add(item: PackItem): Promise<void>;
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  /** Writes the packs that are due, or all; resolves when they are committed. */
  roll(all?: boolean): Promise<void>;
  /** The newest revision of a run that is sealed and in no pack yet, or not known to be. */
  waiting(tenant: string, run: string): WaitingRun | undefined;
  counts(): {
    readonly packs: number;
    readonly pendingBytes: number;
    readonly storedBytes: number;
    readonly runs: number;
    /** runs that `waiting` finds */
    readonly waiting: number;
  };
  /** Gives up what is not begun: its spans are still in the journal. Resolves when the write under way has ended. */
  close(): Promise<void>;
}

export interface WaitingRun {
  /** as it will be in the catalog; its place says nothing */
  readonly run: SealedRun;
  readonly frames: readonly ObjectBody[];
}

interface OpenPack {
  readonly builder: PackBuilder;
  readonly opened: number;
  readonly members: Member[];
}

interface Member {
  readonly item: PackItem;
  readonly entry: PackEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** So often in a row an error that does not pass is taken for one that may. */
const TRIES = 3;

/** Gathers envelopes into packs by share of the journal, class, tenant and day, and brings each pack to the store and to the catalog. */
export function createPacker(deps: PackerDeps): Packer {
  const { store, intents, commit, elapsed = () => performance.now(), log = noLog } = deps;
  const maxBytes = deps.maxBytes ?? 64 * 1024 ** 2;
  const maxAgeMs = deps.maxAgeMs ?? 60_000;
  const maxPending = deps.maxPending ?? 256 * 1024 ** 2;
  const packs = new Map<string, OpenPack>();
  const ending = new AbortController();
  const total = { packs: 0, pendingBytes: 0, storedBytes: 0, runs: 0 };
  const packed = new Map<string, { item: PackItem; entry: PackEntry }>();
  let waiting: (() => void)[] = [];
  let writing: Promise<void> = Promise.resolve();

  function packFor(item: PackItem): [key: string, pack: OpenPack] {
    const { header } = item.sealed;
    const day = receiptDay(item.receipt);
    // what is committed for one share is one transaction, with the fence of that share
    const key = `${item.job.share.name}/${header.class}/${item.job.tenant}/${day}`;
    let pack = packs.get(key);
    if (pack?.builder.has(header.run, header.revision)) {
      void start(key, pack);
      pack = undefined;
    }
    if (!pack) {
      const builder = new PackBuilder({ class: header.class, tenant: item.job.tenant, day });
      pack = { builder, opened: elapsed(), members: [] };
      packs.set(key, pack);
    }
    return [key, pack];
  }

  /** Packs are written one after another: a commit never overtakes the one before. */
  function start(key: string, pack: OpenPack): Promise<void> {
    packs.delete(key);
    writing = writing.then(() => write(pack));
    return writing;
  }

  async function write(pack: OpenPack): Promise<void> {
    const bytes = pack.builder.bytes;
    try {
      if (ending.signal.aborted) throw closed();
      await bring(pack, TRIES);
    } catch (error) {
      for (const { reject } of pack.members) reject(error);
    } finally {
      total.pendingBytes -= bytes;
      for (const { item } of pack.members) if (packed.get(keyOf(item))?.item === item) packed.delete(keyOf(item));
      for (const chunk of chunksOf(pack)) if (!(chunk instanceof Uint8Array)) await rm(chunk.path, { force: true });
      const all = waiting;
      waiting = [];
      for (const resolve of all) resolve();
    }
  }

  /**
   * An error that does not pass is of some run in the pack: each half is stored by itself, and so on, until the runs that are the cause are
   * alone and are rejected. Throws what is of no run.
   */
  async function bring(pack: OpenPack, tries: number): Promise<void> {
    const finished = pack.builder.finish();
    const { key } = finished;
    const made = { here: false };
    let left = tries;
    const giveUp = (error: unknown) => isTaken(error) || (isOfRun(error) && --left <= 0);
    const retry = { event: "seal.pack-not-stored", log, signal: ending.signal, giveUp };
    try {
      await retrying(() => upload(pack, finished, made), retry);
      total.packs++;
      total.storedBytes += pack.builder.bytes + finished.footer.length;
    } catch (error) {
      if (ending.signal.aborted || !isOfRun(error)) throw error;
      log("error", "seal.pack-refused", { key, runs: pack.members.length, error });
      // the catalog refuses this pack to every process, so no row names it
      if (made.here) await store.delete(key).catch(() => {});
      await intents.done(key);
      const { members } = pack;
      if (members.length === 1) return members[0]!.reject(error);
      const middle = members.length >> 1;
      for (const half of [members.slice(0, middle), members.slice(middle)]) await bring(packOf(pack, half), 1);
    }
  }

  async function upload(pack: OpenPack, finished: FinishedPack, made: { here: boolean }): Promise<void> {
    const { key } = finished;
    await intents.note(key);
    const parts = [...chunksOf(pack), finished.footer];
    const inMemory = parts.filter((part) => part instanceof Uint8Array);
    const isLarge = inMemory.length < parts.length || pack.builder.bytes > 2 * maxBytes;
    const outcome = await store.putIfAbsent(key, isLarge ? await intents.spool(key, parts) : Buffer.concat(inMemory));
    made.here ||= outcome === "created";
    // Other bytes under the same name are the same runs, compressed otherwise, or other spans of them.
    const stored = outcome === "different" ? await storedEntries(key) : null;
    const conflicts = new Map<string, PackConflict>();
    const members = pack.members.flatMap((member) => {
      const entry = stored ? stored.get(`${member.entry.run} ${member.entry.revision}`) : member.entry;
      if (!entry) throw new StoreError("DAMAGED", key, `run ${member.entry.run} is not in it, as its name says`);
      if (entry.content === member.entry.content) return [{ ...member, entry }];
      conflicts.set(entry.run, new PackConflict(key, entry, false));
      return [];
    });
    const leftOut = await commit(
      members.map(({ item, entry }) => sealedRun(item, entry, key)),
      members.map(({ item }) => item),
      stored === null,
    );
    for (const each of leftOut) conflicts.set(each.entry.run, each);
    await intents.done(key);
    total.runs += pack.members.length - conflicts.size;
    for (const { entry, resolve, reject } of pack.members) {
      const found = conflicts.get(entry.run);
      if (found) reject(found);
      else resolve();
    }
  }

  async function storedEntries(key: string): Promise<Map<string, PackEntry>> {
    const { runs } = await readPackIndexFrom(store, key);
    return new Map(runs.map((entry) => [`${entry.run} ${entry.revision}`, entry]));
  }

  return {
    add(item) {
      if (ending.signal.aborted) return Promise.reject(closed());
      const [key, pack] = packFor(item);
      return new Promise((resolve, reject) => {
        const { frames, header, manifest } = item.sealed;
        const length = frames.reduce((sum, frame) => sum + frame.length, 0);
        const { receipt, flags } = item;
        const entry = pack.builder.add({ header, manifest, length, receipt, flags });
        pack.members.push({ item, entry, resolve, reject });
        packed.set(keyOf(item), { item, entry });
        total.pendingBytes += length;
        if (pack.builder.bytes >= maxBytes) void start(key, pack);
        else if (total.pendingBytes > maxPending) for (const [each, other] of packs) void start(each, other);
      });
    },
    async room() {
      while (total.pendingBytes > maxPending && !ending.signal.aborted) {
        await new Promise<void>((resolve) => void waiting.push(resolve));
      }
    },
    async roll(all = false) {
      for (const [key, pack] of packs) if (all || elapsed() - pack.opened >= maxAgeMs) void start(key, pack);
      await writing;
    },
    waiting(tenant, run) {
      const found = packed.get(`${tenant}/${run}`);
      return found && { run: sealedRun(found.item, found.entry, ""), frames: found.item.sealed.frames };
    },
    counts: () => ({ ...total, waiting: packed.size }),
    async close() {
      ending.abort();
      for (const pack of packs.values()) for (const { reject } of pack.members) reject(closed());
      packs.clear();
      for (const resolve of waiting) resolve();
      await writing;
    },
  };
}

/** A pack with some of the runs of another one. */
function packOf({ builder: { place }, opened }: OpenPack, some: readonly Member[]): OpenPack {
  const builder = new PackBuilder(place);
  const members = some.map(({ item, entry: { length }, resolve, reject }): Member => {
    const { header, manifest } = item.sealed;
    const { receipt, flags } = item;
    return { item, entry: builder.add({ header, manifest, length, receipt, flags }), resolve, reject };
  });
  return { builder, opened, members };
}

const chunksOf = ({ members }: OpenPack): ObjectBody[] => members.flatMap(({ item }) => [...item.sealed.frames]);
const keyOf = ({ job }: PackItem) => `${job.tenant}/${job.run}`;
const closed = () => new Error("the packer is closed");

function sealedRun({ job, sealed }: PackItem, entry: PackEntry, key: string): SealedRun {
  const { header, manifest, rule, index } = sealed;
  const { revision, content, offset, length, flags, receipt } = entry;
  return {
    tenant: job.tenant,
    header,
    rule,
    receipt,
    index,
    manifest: {
      ...manifest,
      flags,
    },
    class: header.class,
    part: {
      revision,
      content,
      key,
      offset,
      length,
    },
  };
}
