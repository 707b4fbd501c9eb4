import type { Assemblers } from "../assemble/assemblers.ts";
import { joinGroup } from "../journal/drivers/kafka/group-member.ts";
import type { KafkaAddress } from "../journal/drivers/kafka/kafka-address.ts";
import { type OwnedPartition, ownPartition, type PartitionDeps } from "./own-partition.ts";

/** The partitions of this process, as the brokers share them out. */
export interface FollowedPartitions {
  /** Writes what is open to the store, so that the next owner need not read it again. */
  keep(): Promise<void>;
  /** Leaves the group. Call it when nothing is being sealed any more: the others take over. */
  leave(): Promise<void>;
}

interface FollowDeps extends Omit<PartitionDeps, "signal"> {
  readonly address: KafkaAddress;
  readonly assemblers: Assemblers;
  /** Writes the packs that are being filled. */
  readonly roll: () => Promise<void>;
  /** milliseconds between two looks at what is open */
  readonly keepEvery: number;
}

const RELEASE_EVERY = 1_000;

/** Assembles the partitions that the brokers give to this process, until it leaves. */
export function followPartitions(deps: FollowDeps): FollowedPartitions {
  const { address, assemblers, kafka, roll, keepEvery, log } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  const owned = new Map<number, OwnedPartition>();
  const dropping = new Set<Promise<void>>();
  let wanted: readonly number[] = [];
  let settling: Promise<void> | null = null;
  let again = false;

  function drop(each: OwnedPartition): void {
    owned.delete(each.partition);
    assemblers.remove(each.assembler);
    const dropped = Promise.all([each.drop(), roll()])
      .then(() => log("info", "assemble.partition-left", { partition: each.partition }))
      .catch((error: unknown) => log("error", "assemble.partition-left", { partition: each.partition, error }));
    dropping.add(dropped);
    void dropped.finally(() => dropping.delete(dropped));
  }

  /** Until what is owned is what was assigned last. A partition that cannot be taken now is tried again later. */
  async function settle(): Promise<void> {
    let failed = false;
    do {
      again = false;
      for (const each of owned.values()) if (!wanted.includes(each.partition) || !(await each.isOwned())) drop(each);
      // a process that has left the group must not wait here: its partition may belong to another process by now
      if (!member.isActive()) throw new Error("the process is no member of the group");
      for (const partition of wanted) {
        if (again || signal.aborted) break;
        if (owned.has(partition)) continue;
        try {
          const taken = await ownPartition(partition, { ...deps, signal });
          owned.set(partition, taken);
          assemblers.add(taken.assembler);
        } catch (error) {
          failed = true;
          if (!signal.aborted) log("error", "assemble.partition-waits", { partition, error });
        }
      }
    } while (again && !signal.aborted);
    if (failed) throw new Error("not all partitions could be taken");
  }

  function settleSoon(): void {
    again = true;
    settling ??= settle()
      .catch(() => setTimeout(settleSoon, RELEASE_EVERY).unref())
      .then(() => {
        settling = null;
        // assigned since the last look
        if (again && !signal.aborted) settleSoon();
      });
  }

  const member = joinGroup(address, {
    log,
    partitions: kafka.partitions,
    onAssigned(partitions) {
      wanted = partitions;
      settleSoon();
    },
  });

  let keeping: Promise<void> | null = null;
  async function keepAll(now: boolean): Promise<void> {
    for (const each of owned.values()) {
      try {
        await each.keep(now);
        await member.tell(each.partition, each.needed());
      } catch (error) {
        log("warn", "journal.not-kept", { partition: each.partition, error });
      }
    }
  }
  const timer = setInterval(() => {
    // a process that was late may have taken a partition over after the group had given it to this one
    settleSoon();
    keeping ??= keepAll(false).finally(() => (keeping = null));
  }, keepEvery);
  const releasing = setInterval(() => {
    for (const { release } of owned.values()) release();
  }, RELEASE_EVERY);

  return {
    async keep() {
      await keeping;
      await keepAll(true);
    },
    async leave() {
      ending.abort();
      clearInterval(timer);
      clearInterval(releasing);
      await Promise.all([settling, keeping]);
      await member.leave();
      for (const each of owned.values()) drop(each);
      await Promise.all(dropping);
    },
  };
}
