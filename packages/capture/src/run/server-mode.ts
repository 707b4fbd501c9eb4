import { sharedPart } from "../patch/global-registry.ts";

const state = sharedPart("released", () => ({ released: false }));

/** Whether this process is a server whose own run never started: only `agent()` calls are runs there. */
export function isServerMode(): boolean {
  return state.released;
}

export function setServerMode(): void {
  state.released = true;
}
