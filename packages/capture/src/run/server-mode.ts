import { sharedPart } from "../patch/global-registry.ts";

const state = sharedPart("released", () => ({ released: false, startUp: null as (() => void) | null }));

/** Whether this process is a server whose own run never started, or is over: only `agent()` calls and requests are runs there. */
export function isServerMode(): boolean {
  return state.released;
}

export function setServerMode(): void {
  state.released = true;
  state.startUp = null;
}

/** This process listens, and its own run has begun before: `end` ends that run, which may be its start-up. */
export function setStartUp(end: () => void): void {
  state.startUp = end;
}

/** Whether requests to this process are runs of their own. */
export function servesRequests(): boolean {
  return state.released || state.startUp !== null;
}

/** A request has become a run: what came before it was the start-up. */
export function endStartUp(): void {
  const end = state.startUp;
  state.startUp = null;
  // requests go on being runs
  state.released ||= end !== null;
  end?.();
}
