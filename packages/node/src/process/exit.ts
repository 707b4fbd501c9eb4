import { guarded, type RunContext, runOfContext, thrownMessage } from "@reenact/capture/recorder";
import { recordError } from "@reenact/envelope";

export interface ExitWatch {
  /**
   * The process is about to end with this code. `error`: what went uncaught, if anything did; `drained`: it ends since it has
   * nothing more to do; `thrower`: the run in whose context it was thrown.
   */
  ending(code: number, error: unknown, drained: boolean, thrower: RunContext | null): void;
  /** a run waits for an answer that this process does not get */
  isSuspended(): boolean;
}

type RecordedError = ReturnType<typeof recordError>;

/** The message of what went uncaught, and its record. */
export interface Uncaught {
  message: string;
  recorded: RecordedError;
}

export function describeUncaught(error: unknown): Uncaught {
  return { message: thrownMessage(error), recorded: recordError(error) };
}

/** A listener may have set another code than the one that `exit` was emitted with. */
const codeNow = (emitted: number): number => Number(process.exitCode ?? emitted);

/** Ends the process after all `exit` listeners; not in the documentation of Node. */
interface ReallyExit {
  reallyExit?: (code?: number) => never;
}

/**
 * One listener each of `beforeExit`, `exit` and `uncaughtExceptionMonitor`, and no other: a signal without a handler
 * still kills the process, and sealing shows it. The run ends behind the program's own `exit` listeners: at a natural end
 * this listener is moved behind them, and after `process.exit()` the last call of Node is awaited.
 */
export function watchExit(watch: ExitWatch): () => void {
  const owner: NodeJS.Process & ReallyExit = process;
  const real = owner.reallyExit;
  let uncaught: { error: unknown; thrower: RunContext | null } | null = null;
  let isAwaited = false;
  let isDrained = false;
  // what is thrown from here would be the program's own end
  const end = (code: number): void => {
    isAwaited = false;
    guarded("exit", undefined, () =>
      watch.ending(code, uncaught?.error, isDrained && uncaught === null, uncaught?.thrower ?? null),
    );
  };
  const onUncaught = (error: unknown): void => {
    // Node calls this in the context of what threw
    uncaught = { error, thrower: guarded("exit", null, runOfContext) };
    // a listener behind this one has thrown: Node ends the process without its last call
    if (isAwaited) end(codeNow(1));
  };
  const onExit = (code: number): void => {
    const isLast = process.listeners("exit").at(-1) === onExit;
    isAwaited = uncaught === null && !isLast && owner.reallyExit === reallyExit;
    if (!isAwaited) end(codeNow(code));
  };
  const reallyExit = function (this: NodeJS.Process, code?: number): never {
    if (isAwaited) end(code ?? 0);
    return Reflect.apply(real as (code?: number) => never, this, [code]);
  };
  // the listeners of the agent are to be heard before the run ends
  const onBeforeExit = (): void => {
    isDrained = true;
    process.off("exit", onExit);
    process.on("exit", onExit);
    // Node would warn of a top-level await that does not settle, and end with code 13
    if (guarded("exit", false, () => watch.isSuspended())) process.exit();
  };
  process.on("uncaughtExceptionMonitor", onUncaught);
  process.on("beforeExit", onBeforeExit);
  process.on("exit", onExit);
  if (real !== undefined) owner.reallyExit = reallyExit;
  return () => {
    process.off("uncaughtExceptionMonitor", onUncaught);
    process.off("beforeExit", onBeforeExit);
    process.off("exit", onExit);
    if (owner.reallyExit === reallyExit && real !== undefined) owner.reallyExit = real;
  };
}
