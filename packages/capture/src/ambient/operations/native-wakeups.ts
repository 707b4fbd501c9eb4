import { createHook } from "node:async_hooks";
import { here, type RunContext } from "../../run/context.ts";
import { isToolchain } from "../../leaks/program-loading.ts";
import { resources } from "./native-resources.ts";
import { wakeLabel } from "./wake-label.ts";

interface Owned {
  readonly run: RunContext;
  readonly label: string;
  readonly scope: number;
}

let watching = false;

/** Whether wake-ups by native resources are watched here: on a Node that can leave promises out of its hooks. */
export function watchesForeign(): boolean {
  return watching;
}

/** Watches for native resources that a run makes outside every patch and that wake the agent. */
export function installForeign(): () => void {
  if (watching || !canLeavePromisesOut()) return () => {};
  const owned = new Map<number, Owned>();
  // each callback at each resource costs the agent: while nothing foreign is under way, only new ones are heard of
  let following = false;
  const follow = (on: boolean): void => {
    if (following === on) return;
    following = on;
    if (on) wakes.enable();
    else wakes.disable();
  };
  const starts = createHook({
    trackPromises: false,
    init(id: number, type: string) {
      if (!resources.has(type)) return;
      const frame = here();
      if (frame === null && owned.size === 0) follow(false);
      if (frame === null || isToolchain()) return;
      follow(true);
      const run = frame.run;
      owned.set(id, { run, label: wakeLabel(frame, type), scope: frame.scope });
    },
  });
  const wakes = createHook({
    trackPromises: false,
    before(id: number) {
      if (owned.size === 0) return;
      const resource = owned.get(id);
      if (resource === undefined || resource.run.over) return;
      resource.run.source.gate.nativeWakeup(resource.label, resource.scope);
    },
    destroy(id: number) {
      if (owned.size > 0) owned.delete(id);
    },
  });
  starts.enable();
  watching = true;
  return () => {
    starts.disable();
    follow(false);
    watching = false;
  };
}

/** A Node that knows the option checks its type; elsewhere every promise would pay for the hook. */
function canLeavePromisesOut(): boolean {
  try {
    createHook({ trackPromises: "?" } as object);
    return false;
  } catch {
    return true;
  }
}
