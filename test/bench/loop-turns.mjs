// Preloaded into a program (`--import`): at SIGUSR2 it writes to the file BENCH_TURNS the longest time, milliseconds of processor, that
// its main thread has worked without coming back to its timers since the last SIGUSR2. Work of other programs does not count.
import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { threadTime } from "./thread-time.mjs";

if (isMainThread && process.env.BENCH_TURNS !== undefined) {
  const file = process.env.BENCH_TURNS;
  const used = () => threadTime() / 1000;
  let last = used();
  let longest = 0;
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    setTimeout(turn, 1).unref();
  };
  turn();
  process.on("SIGUSR2", () => {
    writeFileSync(`${file}.new`, String(longest));
    renameSync(`${file}.new`, file);
    last = used();
    longest = 0;
  });
}
