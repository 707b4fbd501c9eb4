import { isOurs } from "../patch/caller-frames.ts";
import { guarded } from "../fault/faults.ts";
import type { Call } from "../patch/named-call.ts";
import { inPlaceOf, learn } from "../patch/node-frames.ts";

/** Files of Node that call a callback; a replay calls from its own timers and ticks, whose frames are not learnt. */
const NODE = /^node:(?!internal\/(?:process\/task_queues|timers)$)/;

/**
 * For a function of Node that takes a callback: returns the function that calls the callback later and whose frame is replaced
 * by Node's own frames at this place. `came` is the function that Node called; it must be running. The frames are learnt apart
 * for results that are errors, because Node may call from another line then.
 */
export function callbackPlace(name: string): (results: readonly unknown[], came: object) => Call {
  const [ok, failed] = [name, `${name} failed`].map((key) => ({ key, call: inPlaceOf(key) }));
  return (results, came) => {
    const { key, call } = (results[0] instanceof Error ? failed : ok) as { key: string; call: Call };
    guarded("stacks", undefined, () => learn(key, () => stackBelow(came), nodes));
    return call;
  };
}

function stackBelow(came: object): unknown {
  const at: { stack?: unknown } = {};
  Error.captureStackTrace(at, came as never);
  return at.stack;
}

/** The frames of Node; none where other code has called. */
function nodes(trace: readonly NodeJS.CallSite[]): readonly NodeJS.CallSite[] {
  const called = trace.filter(
    (site) => site.getFunctionName() !== "callbackTrampoline" && !isOurs(site.getFileName() ?? ""),
  );
  return called.every((site) => NODE.test(site.getFileName() ?? "")) ? called : [];
}
