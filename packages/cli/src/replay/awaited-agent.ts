import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeValue } from "@reenact/envelope";
import { storeLayout } from "@reenact/node";
import type { Tape } from "@reenact/replay";
import { oneLine } from "@reenact/view";

const QUIET_MS = 4000;

/**
 * A program that listens does nothing until it is asked. Where the recorded run is a call of an agent() and none has come
 * for some seconds, says what is awaited. The result takes the question back.
 */
export function tellAwaited(replay: { tape: Tape; store: string; launch: string }, after = QUIET_MS): () => void {
  const { name, trigger, input } = replay.tape.root;
  if (trigger !== "function" && trigger !== "request" && trigger !== "job") return () => {};
  const clock = setTimeout(() => {
    if (hasBegun(replay.store, replay.launch)) return;
    if (trigger === "request")
      return void process.stderr.write(
        `reenact: waiting for the request ${oneLine(name ?? "", 60)}: it is sent when the program listens, or send it yourself; Ctrl-C ends it\n`,
      );
    if (trigger === "job")
      return void process.stderr.write(
        `reenact: waiting for a worker for the job ${oneLine(name ?? "", 60)}: it is delivered when the program waits for such; Ctrl-C ends it\n`,
      );
    const asked = input === undefined ? "" : ` (recorded with ${oneLine(shown(input), 200)})`;
    process.stderr.write(
      `reenact: waiting for the program to call agent "${oneLine(name ?? "", 60)}"${asked}: if it listens, send it the request; Ctrl-C ends it\n`,
    );
  }, after);
  return () => clearTimeout(clock);
}

function shown(input: string): string {
  try {
    return JSON.stringify(decodeValue(input)) ?? input;
  } catch {
    return input;
  }
}

/** Whether a run of this launch has started. */
function hasBegun(store: string, launch: string): boolean {
  const { spool } = storeLayout(store);
  try {
    return readdirSync(spool).some((name) => readFileSync(join(spool, name)).includes(`"${launch}"`));
  } catch {
    return false;
  }
}
