import { isInbound, isListening, jobReceivers, originals } from "@reenact/capture/recorder";
import { hasWholeArguments, recordedArguments } from "../serve/agent-input.ts";
import { listed } from "../verdict/listed.ts";
import type { Session } from "../session.ts";
import { isRequested, type Tape } from "../tape/tape.ts";
import type { GivenHeader } from "./given-header.ts";
import { awaitedJobs, deliverJob, receiverOf, sourceOfJob, whyNotDelivered } from "./deliver-job.ts";
import { sendRequest, whyNotSent } from "./send-request.ts";
import { ServingProbe } from "./serving-probe.ts";
import { Starting } from "./starting.ts";

type AnyFunction = (...args: never[]) => unknown;

/** What a program has given to `agent()`, by name. */
export type KnownAgents = ReadonlyMap<string, AnyFunction>;

const LOOK_MS = 100;
/** A program that only listens may get the request from what was started with it: then its agent is not called. */
const LOOKS = 10;
/** One that also waits for something else, such as a timer, may call its agent by itself. */
const LOOKS_BUSY = 30;
/** What a program has that waits for requests and for nothing else. */
const LISTENING = new Set(["TCPServerWrap", "TCPSocketWrap", "PipeServerWrap", "PipeWrap", "TTYWrap", "SignalWrap"]);
/** A server that got a request once it listened gets it again. */
const LOOKS_SERVER = 3;
const LOOKS_SERVER_BUSY = 10;
const MOST_NAMED = 5;
/** A replay shows the program the recorded one. */
const parentPid = process.ppid;
/** Earlier runs of a process that are called first, at the most. */
const MOST_EARLIER = 100;

export interface CallAgentsOptions {
  readonly target: Tape;
  /** other runs of the same process */
  readonly siblings: readonly Tape[];
  readonly agents: KnownAgents;
  /** headers of a recorded request that the caller gives it */
  readonly headers: readonly GivenHeader[];
  /** runs a function as the program's own code, outside of everything that is ours */
  readonly outside: (fn: () => unknown) => unknown;
  /** also calls what the process, or the session of the run, had called before, so that the program is in the same state */
  readonly withEarlier: boolean;
  /** pid of the process that has started the replay: a program whose parent it is was started alone */
  readonly startedBy: number;
}

/**
 * Calls the recorded `agent()` of a program that listens, with its recorded arguments, or sends it the recorded request or job: a
 * server does nothing until it is asked. Does nothing where the run was asked for by nobody, where its arguments are not whole in the
 * record, or once the program has called an agent by itself.
 */
export function callAgents(session: Session, options: CallAgentsOptions): void {
  const { target, agents } = options;
  const { name = "" } = target.root;
  const { trigger } = askedFor(target, options).root;
  if (trigger === "request") return sendWhenListening(session, options);
  if (trigger === "job") return deliverWhenAwaited(session, options);
  if (target.root.trigger !== "function" || !hasWholeArguments(target)) return;
  let looks = 0;
  const stop = (): void => {
    probe.close();
    originals.clearInterval(clock);
  };
  const isAsked = (): boolean => session.hasCalls || session.stopped !== null;
  const call = (): void => {
    stop();
    void callInOrder(session, options);
  };
  const probe = new ServingProbe(() => !isAsked() && call());
  const clock = originals.setInterval(() => {
    if (isAsked()) {
      session.willCall = false;
      return stop();
    }
    looks = (isListening() || jobReceivers().length > 0) && agents.has(name) ? looks + 1 : 0;
    session.willCall = looks > 0;
    if (looks >= (onlyListens() ? LOOKS : LOOKS_BUSY)) return call();
    if (looks > 0 && options.startedBy === parentPid) probe.open();
    else probe.close();
  }, LOOK_MS);
  clock.unref();
}

/** Sends the recorded request once the program listens. */
function sendWhenListening(session: Session, options: CallAgentsOptions): void {
  const target = askedFor(options.target, options);
  const problem = whyNotSent(target);
  if (problem !== null) return session.cannotBegin(problem);
  let looks = 0;
  const starting = new Starting();
  const send = (): void => {
    stop();
    void callInOrder(session, options);
  };
  const stop = (): void => {
    probe.close();
    originals.clearInterval(clock);
  };
  const probe = new ServingProbe(send);
  const clock = originals.setInterval(() => {
    if (session.stopped !== null) return stop();
    looks = isListening() ? looks + 1 : 0;
    if (looks === 0 && starting.isIdle())
      return session.noProgress(
        `the program listens on no port, and the recorded run is a request to its server (${target.root.name ?? ""})`,
      );
    if (looks >= (onlyListens() ? LOOKS_SERVER : LOOKS_SERVER_BUSY)) return send();
    if (looks > 0) probe.open();
    else probe.close();
  }, LOOK_MS);
  // a program that waits for nothing ends by itself, and is judged then
  clock.unref();
}

/** Delivers the recorded job once the program waits for such. */
function deliverWhenAwaited(session: Session, options: CallAgentsOptions): void {
  const target = askedFor(options.target, options);
  const problem = whyNotDelivered(target);
  if (problem !== null) return session.cannotBegin(problem);
  let looks = 0;
  // until it is said below that nothing waits for the job
  session.willCall = true;
  const starting = new Starting();
  const clock = originals.setInterval(() => {
    if (session.stopped !== null) return originals.clearInterval(clock);
    looks = receiverOf(target) !== null ? looks + 1 : 0;
    if (looks === 0 && starting.isIdle())
      return session.noProgress(`${awaitedJobs()}, and the recorded run is a job of ${sourceOfJob(target)}`);
    if (looks !== LOOKS_SERVER) return;
    void callInOrder(session, options);
  }, LOOK_MS);
  // a program that waits for nothing ends by itself, and is judged then
  clock.unref();
}

function onlyListens(): boolean {
  return process.getActiveResourcesInfo().every((resource) => LISTENING.has(resource));
}

async function callInOrder(session: Session, options: CallAgentsOptions): Promise<void> {
  const { withEarlier } = options;
  const target = askedFor(options.target, options);
  const before = earlierOf(options).filter((tape) => tape !== target);
  const earlier = withEarlier ? before : [];
  session.leftOut = before.length - earlier.length;
  if (withEarlier) for (const note of [lackingRuns(options), cutOffRuns(options)]) session.ledger.note(note);
  const first =
    earlier.length === 0 ? "" : `, after ${earlier.length} earlier ${earlier.length === 1 ? "run" : "runs"}`;
  session.ledger.note(
    isInbound(target.root.trigger)
      ? `the recorded ${target.root.trigger} ${target.root.name ?? ""} was ${target.root.trigger === "job" ? "delivered" : "sent"} to the program${first}`
      : `agent "${target.root.name ?? ""}" was called with its recorded arguments${first}: what its caller does (routes, authentication, the response) is not replayed`,
  );
  for (const tape of [...earlier, target]) if (session.stopped === null) await askAgain(session, tape, options);
}

async function askAgain(session: Session, tape: Tape, { agents, headers, outside }: CallAgentsOptions): Promise<void> {
  if (tape.root.trigger === "request") {
    if (whyNotSent(tape) === null) await sendRequest(session, tape, headers);
    return;
  }
  if (tape.root.trigger === "job") {
    if (whyNotDelivered(tape) === null) await deliverJob(session, tape, outside);
    return;
  }
  const agent = agents.get(tape.root.name ?? "");
  if (agent === undefined || !hasWholeArguments(tape)) return;
  try {
    await outside(() => readWhole(Reflect.apply(agent, undefined, recordedArguments(tape) as never[])));
  } catch {
    // how it ended stands in its run
  }
}

/**
 * What has to be asked of the program for this run to come about: the request or job whose code made the `agent()` call, where its
 * record is at hand and whole enough, else the run itself. `--cold` asks for nothing but the run.
 */
function askedFor(tape: Tape, { target, siblings, withEarlier }: CallAgentsOptions): Tape {
  const { calledIn } = tape.root;
  if (calledIn === undefined || !withEarlier) return tape;
  const caller = [target, ...siblings].find(({ runId }) => runId === calledIn);
  if (caller === undefined || isCutOff(caller.root)) return tape;
  const problem = caller.root.trigger === "job" ? whyNotDelivered(caller) : whyNotSent(caller);
  return problem === null ? caller : tape;
}

/** The calls of the same session, or of the same process where there is none, that began before, in their order. */
function earlierOf(options: CallAgentsOptions): Tape[] {
  const { target, siblings } = options;
  const { sequence = 0 } = target.root;
  const session = target.metadata?.session;
  const earlier = siblings
    .filter(
      ({ root, metadata }) =>
        isRequested(root) && !isCutOff(root) && (root.sequence ?? 0) < sequence && metadata?.session === session,
    )
    .toSorted((a, b) => (a.root.sequence ?? 0) - (b.root.sequence ?? 0));
  // a request that is sent again makes its agent() calls itself
  return [...new Set(earlier.map((tape) => askedFor(tape, options)))].slice(-MOST_EARLIER);
}

/** Whether the process was killed before the run had its answer: asked for again it ends where its record does, and with it the replay. */
function isCutOff({ died, answered }: Tape["root"]): boolean {
  return died === true && answered !== true;
}

/** Which of the runs that began before were under way when the process was killed. */
function cutOffRuns({ target, siblings }: CallAgentsOptions): string | null {
  const { sequence = 0 } = target.root;
  const before = siblings.filter(({ root }) => isCutOff(root) && isRequested(root) && (root.sequence ?? 0) < sequence);
  if (before.length === 0) return null;
  const names = listed(
    before.map(({ root }) => root.name ?? ""),
    MOST_NAMED,
  );
  return `earlier runs of the process had not ended when it was killed, and were not asked for again (${names}): what they left in memory is missing here`;
}

/** Which of the runs that began before are not at hand, where their numbers show it. */
function lackingRuns({ target, siblings }: CallAgentsOptions): string | null {
  const { sequence = 0 } = target.root;
  const known = new Set(siblings.map(({ root }) => root.sequence));
  const lacking = Array.from({ length: Math.max(0, sequence - 1) }, (_, n) => n + 1).filter((n) => !known.has(n));
  if (lacking.length === 0) return null;
  const which = listed(lacking.map(String), MOST_NAMED);
  return `earlier runs of the process are not in this store (number ${which}): what they left in memory is missing here`;
}

/** A run that makes a stream lasts until it has been read. */
async function readWhole(result: unknown): Promise<void> {
  const value = await result;
  if (value instanceof Response) await value.arrayBuffer();
  else if (isIterator(value)) for await (const _ of value);
}

function isIterator(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== "object" || value === null) return false;
  // an array is a value, a generator makes its values
  return Symbol.asyncIterator in value || (Symbol.iterator in value && "next" in value);
}
