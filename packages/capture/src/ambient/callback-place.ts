import { isOurs } from "../caller-frames.ts";
import { guarded } from "../guard.ts";
import { type Call, inPlaceOf, learn } from "../node-frames.ts";

/** Where a replay answers by itself it does so from a timer or a tick. */
const NODE = /^node:(?!internal\/(?:process\/task_queues|timers)$)/;

/**
 * Gives, for the results that a callback of Node's is called with, what calls it later as if Node did. `came` is the function that
 * Node called; asked from there. An operation that failed may have ended at another place of Node's than one that did not.
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

/** None where others than Node called. */
function nodes(trace: readonly NodeJS.CallSite[]): readonly NodeJS.CallSite[] {
  const called = trace.filter(
    (site) => site.getFunctionName() !== "callbackTrampoline" && !isOurs(site.getFileName() ?? ""),
  );
  return called.every((site) => NODE.test(site.getFileName() ?? "")) ? called : [];
}
