import type { TapeSource } from "../serve/tape-source.ts";
import type { SessionOptions } from "../session-options.ts";
import { askedStep } from "../tape/asked-step.ts";
import type { ReplayReport } from "./replay-report.ts";

/** Why a replay that is to end behind a step ends now: the step has its answer. Null: it has not, or nothing is to end. */
export function stopBehind(
  { until = null, target }: Pick<SessionOptions, "until" | "target">,
  { calls }: Pick<TapeSource, "calls">,
): ReplayReport["stopped"] {
  const known = until === null ? undefined : calls.get(askedStep(target, until, (index) => calls.has(index)));
  if (until === null || known === undefined || known.now.state === "open") return null;
  return { reason: "until", message: `ended behind step ${until + 1}, as --until asks` };
}
