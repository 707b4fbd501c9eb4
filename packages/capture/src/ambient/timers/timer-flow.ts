import { AsyncLocalStorage } from "node:async_hooks";
import { sharedPart } from "../../patch/global-registry.ts";

/** The code that one timer runs, with its asynchronous continuations: a logger's flush, a heartbeat, or an agent. */
interface TimerFlow {
  /** position in the journal where the timer was set */
  readonly since: number;
  /** a model or a tool was called in it */
  agentic: boolean;
}

const flows = sharedPart("timer-flows", () => new AsyncLocalStorage<TimerFlow>());

/**
 * Runs `make`, which keeps its asynchronous context, as the beginning of a timer's flow. A timer that sets itself anew stays
 * in its first.
 */
export function inTimerFlow<T>(since: number, make: () => T): T {
  const outer = flows.getStore();
  return outer !== undefined && !outer.agentic ? make() : flows.run({ since, agentic: false }, make);
}

/** Where the timer was set whose flow this is; undefined where no timer, or an agent, runs. */
export function timerFlow(): number | undefined {
  const flow = flows.getStore();
  return flow === undefined || flow.agentic ? undefined : flow.since;
}

export function markAgenticFlow(): void {
  const flow = flows.getStore();
  if (flow !== undefined) flow.agentic = true;
}
