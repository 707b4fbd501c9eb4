import { guarded } from "@reenact/capture";
import { recordError } from "@reenact/envelope";

export interface ExitWatch {
  /** the process is about to end with this code; `error`: what went uncaught, if anything did */
  ending(code: number, error: unknown): void;
}

type RecordedError = ReturnType<typeof recordError>;

/** The message of what went uncaught, and its record. */
export interface Uncaught {
  message: string;
  recorded: RecordedError;
}

export function describeUncaught(error: unknown): Uncaught {
  return { message: error instanceof Error ? error.message : String(error), recorded: recordError(error) };
}

/**
 * One listener each of `beforeExit`, `exit` and `uncaughtExceptionMonitor`, and no other: a signal without a handler
 * still kills the process, and sealing shows it.
 */
export function watchExit(watch: ExitWatch): () => void {
  let uncaught: { error: unknown } | null = null;
  const onUncaught = (error: unknown): void => {
    uncaught = { error };
  };
  // what is thrown from here would be the program's own end
  const onExit = (code: number): void => guarded("exit", undefined, () => watch.ending(code, uncaught?.error));
  // the listeners of the agent are to be heard before the run ends
  const onBeforeExit = (): void => {
    process.off("exit", onExit);
    process.on("exit", onExit);
  };
  process.on("uncaughtExceptionMonitor", onUncaught);
  process.on("beforeExit", onBeforeExit);
  process.on("exit", onExit);
  return () => {
    process.off("uncaughtExceptionMonitor", onUncaught);
    process.off("beforeExit", onBeforeExit);
    process.off("exit", onExit);
  };
}
