// Preload that must run first: it measures how long a turn of the event loop takes this thread, past the recorder's patches.
// Time on the processor, not on the clock: what else the machine does is no stall of this program.
import { threadTime } from "./thread-time.mjs";

const { setImmediate, setTimeout } = globalThis;
let longest = null;
let before = 0;

function turn() {
  const now = threadTime();
  if (longest === null) return;
  longest = Math.max(longest, now - before);
  before = now;
  setImmediate(turn);
}

globalThis[Symbol.for("reenact.bench.stall")] = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  begin() {
    longest = 0;
    before = threadTime();
    setImmediate(turn);
  },
  /** Milliseconds of the longest turn since `begin`. */
  end() {
    const ms = longest / 1000;
    longest = null;
    return ms;
  },
};
