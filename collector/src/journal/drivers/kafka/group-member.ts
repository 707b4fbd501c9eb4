import { promisify } from "node:util";
import { Consumer } from "@platformatic/kafka";
import type { Log } from "../../../log.ts";
import type { KafkaAddress } from "./kafka-address.ts";
import { clientOptions, journalError } from "./kafka-client.ts";

/** One process of the group among which the brokers share out the partitions. */
export interface GroupMember {
  /** The brokers take it for a member now, and have said so within its session; false also for the time of a rebalance. */
  isActive(): boolean;
  /** For those who watch the group's lag: how far it has come. What counts stands in the catalog. */
  tell(partition: number, offset: number): Promise<void>;
  /** The brokers give its partitions to the others. */
  leave(): Promise<void>;
}

/** Between two looks whether the process is still a member, milliseconds. */
const LOOK_MS = 1_000;

interface GroupDeps {
  /** Given the numbers of its partitions each time they are shared out. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /** how many the topic has, as the brokers have said last */
  readonly partitions: () => number;
  readonly log: Log;
}

/**
 * Joins the group, and again whenever it is no member any more, or the topic has got more partitions: the brokers do not share them out
 * anew for that, and records in the new ones would wait until a process comes or goes. Two processes can take the same partition for
 * theirs for a while: what they write must be fenced.
 */
export function joinGroup(address: KafkaAddress, { onAssigned, partitions, log }: GroupDeps): GroupMember {
  const { topic, group, sessionMs } = address;
  const member = new Consumer({
    ...clientOptions(address),
    groupId: group,
    autocommit: false,
    sessionTimeout: sessionMs,
    rebalanceTimeout: sessionMs,
    heartbeatInterval: Math.max(100, Math.floor(sessionMs / 6)),
  });
  member.topics.track(topic);
  let left = false;
  let joining = false;
  let failures = 0;
  /** milliseconds since 1970, as the client's own times */
  let joined = 0;
  /** a client that is taking part in a rebalance is no member for a moment */
  let missed = 0;
  /** partitions that the topic had when it joined last; 0: it has not */
  let shared = 0;

  member.on("consumer:group:join", () => {
    joined = Date.now();
    failures = 0;
    const found = member.assignments?.find((each) => each.topic === topic)?.partitions ?? [];
    log("info", "journal.partitions", { group, partitions: found });
    onAssigned(found);
  });
  member.on("error", (error: unknown) => log("warn", "journal.group", { group, error }));

  async function join(): Promise<void> {
    joining = true;
    try {
      // who leads the group shares out those that it knows
      const { topics } = await member.metadata({ topics: [topic], forceUpdate: true });
      if (!left) await member.joinGroup({});
      shared = topics.get(topic)?.partitionsCount ?? shared;
    } catch (cause) {
      failures++;
      const error = journalError(cause, address, "the group cannot be joined");
      if (!left) log(failures < 4 ? "warn" : "error", "journal.group", { group, failures, error });
    }
    joining = false;
  }

  const timer = setInterval(() => {
    missed = member.isActive() ? 0 : missed + 1;
    const hasGrown = shared > 0 && partitions() > shared;
    // as long as a rebalance may take
    if (joining || (!hasGrown && missed * LOOK_MS <= (failures > 0 ? 0 : sessionMs))) return;
    missed = 0;
    void join();
  }, LOOK_MS);
  void join();

  return {
    isActive: () =>
      member.isActive() && Date.now() - Math.max(joined, member.lastHeartbeat?.getTime() ?? 0) < sessionMs,
    async tell(partition, offset) {
      if (!member.isActive()) return;
      const offsets = [{ topic, partition, offset: BigInt(offset), leaderEpoch: -1 }];
      try {
        await member.commit({ offsets });
      } catch (error) {
        log("debug", "journal.offset-not-told", { error });
      }
    },
    async leave() {
      left = true;
      clearInterval(timer);
      try {
        await promisify((done: (error?: Error | null) => void) => member.leaveGroup(true, done))();
        await promisify((done: (error?: Error | null) => void) => member.close(true, done))();
      } catch (error) {
        // the brokers find out when the session ends
        log("debug", "journal.group-not-left", { group, error });
      }
    },
  };
}
