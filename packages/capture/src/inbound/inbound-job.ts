import { encodeValue } from "@reenact/envelope";
import { callRun } from "../api/call-run.ts";
import { guarded, steppedAside } from "../fault/faults.ts";
import { sharedPart } from "../patch/global-registry.ts";
import { originals } from "../patch/originals.ts";
import { isInProcess, isOutside, live } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import { beginServing, servesRequests } from "../run/server-mode.ts";
import { mayCallModel } from "./agent-signs.ts";
import { endServiceAnswers, type ServiceAnswer, serviceAnswers } from "./service-answers.ts";
import { inboundRun } from "./inbound-run.ts";

/** A job that a program got, as the root of its run holds it. */
export interface JobValue {
  /** what delivers such jobs: `bullmq`, `node-cron`, … */
  readonly by: string;
  /** the queue, schedule or function that it came from */
  readonly from: string;
  /** name of the kind of job; absent: all of `from` are of one kind */
  readonly name?: string;
  /** what `by` tells of it, as plain data */
  readonly job: Readonly<Record<string, unknown>>;
  /** what the process asked of such a service outside of every run that is written, and what it was answered; absent: nothing */
  readonly startUp?: readonly ServiceAnswer[];
}

/** A job as it comes: what is told of it is made when it is written. */
export interface ReceivedJob extends Omit<JobValue, "job" | "startUp"> {
  told(): JobValue["job"];
}

/** What hands jobs to a function of the program. */
export interface JobReceiver {
  readonly by: string;
  readonly from: string;
  /** nothing else of this process gets jobs of `by`: it takes those of any place */
  readonly isOnly?: boolean;
  /** Hands it a recorded job, which came from there. Only a replay does so. */
  deliver(job: JobValue["job"], from: string): unknown;
}

const LONG_MS = 2 ** 30;

const receivers = sharedPart("job-receivers", () => [] as JobReceiver[]);

/** This process waits for jobs from here on. */
export function noteReceiver(receiver: JobReceiver): void {
  beginServing();
  // nobody else asks for them, and a program may make many
  if (recorder.isReplay) receivers.push(receiver);
  // it is not connected to what it waits for, which would keep the process alive
  if (recorder.deliversJobs && receivers.length === 1) live(() => void originals.setInterval(() => {}, LONG_MS));
}

/** In a replay: what waits for jobs, in the order in which it began to. */
export function jobReceivers(): readonly JobReceiver[] {
  return receivers;
}

/**
 * Carries out a job, as a run of its own where it is in none. `read` takes the job, before the program can change anything of it;
 * null: it is none.
 */
export function runJob(read: () => ReceivedJob | null, carryOut: () => unknown): unknown {
  if (!servesRequests() || !(isOutside() || isInProcess()) || !mayCallModel() || steppedAside("job")) return carryOut();
  const job = guarded("job", null, read);
  if (job === null) return carryOut();
  const run = guarded("job", null, () => {
    const { told, ...known } = job;
    let encoded: { readonly startUp: readonly ServiceAnswer[]; readonly text: string } | null = null;
    // asked for when the run begins and when it ends: more may be known of the start-up then
    const input = (): string => {
      const startUp = serviceAnswers();
      if (encoded?.startUp !== startUp) {
        const value: JobValue = { ...known, job: told(), ...(startUp.length > 0 && { startUp }) };
        encoded = { startUp, text: encodeValue(value).text };
      }
      return encoded.text;
    };
    const name = known.name === undefined ? known.from : `${known.from}/${known.name}`;
    const run = inboundRun({ trigger: "job", name, input });
    run.ending.add(({ isActive }) => isActive && endServiceAnswers());
    return run;
  });
  return run === null ? carryOut() : callRun(run, carryOut);
}
