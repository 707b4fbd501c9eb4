import { sharedPart } from "../patch/global-registry.ts";

const state = sharedPart("released", () => ({
  released: false,
  startUp: null as (() => void) | null,
  begin: () => {},
  served: false,
}));

/** Whether this process is a server whose own run never started, or is over: only `agent()` calls, requests and jobs are runs there. */
export function isServerMode(): boolean {
  return state.released;
}

export function setServerMode(): void {
  state.released = true;
  state.startUp = null;
}

/** This process waits for requests or jobs, and its own run has begun before: `end` ends that run, which may be its start-up. */
export function setStartUp(end: () => void): void {
  state.startUp = end;
}

/** What is done when this process begins to wait for requests or jobs. */
export function onServing(begin: () => void): void {
  state.begin = begin;
}

/** From here on this process waits for requests or jobs. To be called more than once. */
export function beginServing(): void {
  state.served = true;
  state.begin();
}

/** Whether this process has ever waited for requests or jobs. */
export function hasServed(): boolean {
  return state.served;
}

/** Whether requests and jobs that this process gets are runs of their own. */
export function servesRequests(): boolean {
  return state.released || state.startUp !== null;
}

/** A request or a job has become a run: what came before it was the start-up. */
export function endStartUp(): void {
  const end = state.startUp;
  state.startUp = null;
  // they go on being runs
  state.released ||= end !== null;
  end?.();
}
