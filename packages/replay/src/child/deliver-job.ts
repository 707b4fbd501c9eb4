import { type JobReceiver, jobReceivers, type JobValue } from "@reenact/capture/recorder";
import { decodeValue } from "@reenact/envelope";
import { isWhole } from "../match/not-whole.ts";
import type { Session } from "../session.ts";
import type { Tape } from "../tape/tape.ts";
import { unsealedRoot } from "../tape/tape-vault.ts";

/** The job of a run, with its originals where the vault is open; null: it is not in the record. */
export function recordedJob(tape: Tape): JobValue | null {
  const { input } = unsealedRoot(tape);
  return input === undefined ? null : (decodeValue(input) as JobValue);
}

/** Why the recorded job cannot be delivered; null: it can. */
export function whyNotDelivered(tape: Tape): string | null {
  if (tape.root.input === undefined) return "the recording has no job: its process ended first";
  return isWhole(tape.root.input) ? null : "the recording has only a part of the job";
}

/** What waits for jobs like the recorded one in this program; null: nothing does. */
export function receiverOf(tape: Tape): JobReceiver | null {
  const job = recordedJob(tape);
  const receivers = jobReceivers().filter(({ by }) => by === job?.by);
  return receivers.find(({ from, isOnly }) => isOnly === true || from === job?.from) ?? null;
}

/** Says for which jobs the program waits, for people. */
export function awaitedJobs(): string {
  const names = [...new Set(jobReceivers().map(({ by, from }) => `${by} ${from}`))];
  return names.length === 0 ? "the program waits for no jobs" : `the program waits for jobs of ${names.join(", ")}`;
}

/** The queue, or what else it came from, in words. */
export function sourceOfJob(tape: Tape): string {
  const job = recordedJob(tape);
  return job === null ? "" : `${job.by} ${job.from}`;
}

/** Hands the recorded job to the program. Resolves when the program has carried it out. */
export async function deliverJob(session: Session, tape: Tape, outside: (fn: () => unknown) => unknown): Promise<void> {
  const job = recordedJob(tape);
  const receiver = receiverOf(tape);
  if (job === null || receiver === null) return;
  session.awaited = tape;
  try {
    await outside(() => receiver.deliver(job.job, job.from));
  } catch {
    // how it ended stands in its run
  } finally {
    session.awaited = null;
  }
}
