import { originals } from "../patch/originals.ts";
import { recorder } from "../run/recorder.ts";

const faults = new Map<string, number>();
const warned = new Set<string>();
/** After this many faults a part of the recorder is disabled. */
const LIMIT = 20;

/** One line to file descriptor 2, once per `key`; never through `console`, which is the agent's. */
export function warnOnce(key: string, line: string): void {
  if (warned.has(key)) return;
  warned.add(key);
  try {
    originals.writeSync(2, `reenact: ${line}\n`);
  } catch {
    // a closed descriptor must not reach the agent
  }
}

export function hasWarned(key: string): boolean {
  return warned.has(key);
}

/** Counts a fault of the recorder in `part`. It is reported in the run; the agent does not see it. */
export function fault(part: string, error: unknown): void {
  const count = (faults.get(part) ?? 0) + 1;
  faults.set(part, count);
  const why = withoutSecrets(error instanceof Error ? error.message : String(error));
  warnOnce(
    `fault:${part}`,
    `recorder fault in ${part}: ${why}. The agent keeps running; run 'reenact doctor' for details.`,
  );
  if (process.env["REENACT_LOG"] === "debug" && error instanceof Error)
    originals.writeSync(2, `${withoutSecrets(error.stack ?? "")}\n`);
}

/** An error's message may quote the agent's text: without a scrubber it is not shown. */
function withoutSecrets(text: string): string {
  try {
    return recorder.scrubber?.scrub(text).text ?? "an error";
  } catch {
    return "an error";
  }
}

export function steppedAside(part: string): boolean {
  return (faults.get(part) ?? 0) >= LIMIT;
}

export function faultCounts(): Record<string, number> {
  return Object.fromEntries(faults);
}

/** Runs a part of the recorder that must not disturb the agent. Returns `otherwise` if it throws. */
export function guarded<T>(part: string, otherwise: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    fault(part, error);
    return otherwise;
  }
}
