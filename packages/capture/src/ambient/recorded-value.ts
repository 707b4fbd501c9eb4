import { here } from "../run/context.ts";
import { fault } from "../fault/faults.ts";
import { isToolchain } from "../leaks/program-loading.ts";
import type { DrawKind } from "../source/source.ts";
import { sawTime } from "./clock/virtual-now.ts";

/** A value of the clock or of a random source: of the run of the running code, or the real one outside every run. `optional`: as in `Source`. */
export function recordedValue<T extends string | number>(kind: DrawKind, real: () => T, optional = false): T {
  const frame = here();
  if (frame === null || isToolchain()) return real();
  const run = frame.run;
  try {
    const value = run.source.draw(kind, frame.scope, real, optional);
    if (kind === "D" && run.source.virtualTimers) sawTime(run, value as number);
    return value;
  } catch (error) {
    fault("draw", error);
    return real();
  }
}
