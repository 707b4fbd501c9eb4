import { live, type RunFrame } from "../../run/context.ts";
import { recorder } from "../../run/recorder.ts";
import { connectionStep } from "../connection-step.ts";
import { failedAnswer } from "./live-wire.ts";
import { hasRoomOutside, isOutside, noteOutside, outsideExchanges } from "./outside-exchanges.ts";
import type { Opened } from "./run-target.ts";
import { wireWriter } from "./wire-stream.ts";

/** One request of a driver. */
export interface DatabaseCall {
  /** name of the step */
  readonly name: string;
  /** compared by a replay; without secrets of the session */
  readonly args: readonly unknown[];
}

/**
 * A server whose requests each stand alone, so that it does not matter which connection carries one. Requests inside a run are
 * steps. What is asked outside of every run is told in the runs that follow, so that a replay of one of them can begin there.
 */
export interface DatabaseServer {
  /**
   * In a run, a step of its own, which tells what the driver has to know of the server: what `open` gives. A replay does not
   * call `open`.
   */
  connect(open: () => Promise<unknown>): Promise<unknown>;
  /**
   * Whether anything is kept of a request that this code makes. False: it need not be read, as in a program that has called no model
   * and has filled what is kept of it.
   */
  keeps(): boolean;
  /** `ask` sends the request in a recording, as our own work. It rejects with a `WireFailure` where the answer is an error. */
  call(call: DatabaseCall, ask: () => Promise<unknown>): Promise<unknown>;
}

/** Whether this process is a replay: nothing is to be asked of a server. */
export function replays(): boolean {
  return recorder.isReplay;
}

/**
 * @param system name of the kind of database, as in OpenTelemetry's `db.system.name`
 * @param target where the server is
 */
export function databaseServer(system: string, target: Readonly<Record<string, string | number>>): DatabaseServer {
  const op = `db:${system}`;
  const key = `${system} ${JSON.stringify(target)}`;
  const outside = (name: string, args: readonly unknown[]): unknown => {
    const found = recorder.outside?.(target, name, args);
    if (found !== undefined) return found.value;
    throw new Error(`no record of ${system} ${name}, which no run makes, is at hand`);
  };
  return {
    async connect(open) {
      const { frame } = wireWriter();
      if (frame === null) return recorder.isReplay ? outside("connect", []) : live(open);
      // a run that is not replayed has no record of its own
      const opening = async (): Promise<unknown> => (recorder.isReplay ? outside("connect", []) : open());
      return connectInRun(frame, { op, key, target }, opening);
    },
    keeps() {
      if (recorder.isReplay) return true;
      const run = wireWriter().frame?.run ?? null;
      return (run !== null && !run.resting) || (isOutside(run) && hasRoomOutside(key));
    },
    async call({ name, args }, ask) {
      const { frame } = wireWriter();
      const body = async (): Promise<unknown> => {
        if (recorder.isReplay) return outside(name, args);
        const answer = ask();
        if (isOutside(frame?.run ?? null)) noteOutside(key, { name, args, value: await answerOf(answer) });
        return answer;
      };
      if (frame === null) return live(body);
      return connectionStep(frame, { kind: "DB", name, op, args }, () => live(body));
    },
  };
}

async function connectInRun(
  frame: RunFrame,
  { op, key, target }: { readonly op: string; readonly key: string; readonly target: object },
  open: () => Promise<unknown>,
): Promise<unknown> {
  async function* begin(): AsyncGenerator<Opened, void> {
    const opened = await live(open);
    const exchanges = isOutside(frame.run) ? [] : outsideExchanges(key);
    yield { opened, ...(exchanges.length > 0 && { outside: exchanges }) };
  }
  const values = connectionStep(frame, { kind: "DB", name: "connect", op, args: [{ ...target }] }, begin);
  // a call without a record gives a promise that rejects
  if (values instanceof Promise) await values;
  let opened: unknown;
  for await (const value of values as AsyncIterable<Opened>) opened = value.opened;
  return opened;
}

/** Also one that says that the server did not do what it was asked. */
function answerOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    const failed = failedAnswer(error);
    if (failed === undefined) throw error;
    return failed.answer;
  });
}
