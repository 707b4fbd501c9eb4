import { agent, currentRecording, isAgent, startRecording } from "@reenact/node";
import { sealSpool } from "@reenact/node/seal";
import { FixtureError } from "../fixture/fixture-error.ts";
import { recordAlone } from "./one-recorder.ts";

export interface RecordedCall {
  /** absolute path of the sealed run in the store */
  readonly run: string;
  readonly id: string;
  readonly status: string;
  /** what the function returned */
  readonly output: unknown;
  /** what it threw */
  readonly error: unknown;
}

/** Calls a function under recording. One at a time: a process has one recorder. */
export function recordFunction(
  fn: (...args: never[]) => unknown,
  options: { name: string; args: readonly unknown[]; store: string },
): Promise<RecordedCall> {
  return recordAlone(() => recordNow(fn, options));
}

async function recordNow(
  fn: (...args: never[]) => unknown,
  { name, args, store }: { name: string; args: readonly unknown[]; store: string },
): Promise<RecordedCall> {
  if (currentRecording() !== null)
    throw new FixtureError(
      "CANNOT_RECORD",
      "the process of this test is recorded already, by instrument() or @reenact/node/register",
      "import the agent without it, and start it in the main file of the program only",
    );
  const recording = startRecording({ name, store, processRun: false });
  let output: unknown;
  let error: unknown;
  try {
    output = await Reflect.apply(isAgent(fn) ? fn : agent(name, fn), undefined, args);
  } catch (thrown) {
    error = thrown;
  } finally {
    recording.stop();
  }
  const { first } = recording.written;
  const sealed = sealSpool(store, { instance: recording.instance }).find(({ run }) => run === first);
  if (sealed === undefined)
    throw new FixtureError("CANNOT_RECORD", `no run was recorded in ${store}`, "reenact doctor", { cause: error });
  return { run: sealed.path, id: sealed.run, status: sealed.header.status, output, error };
}
