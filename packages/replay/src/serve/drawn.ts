import type { DrawKind } from "@reenact/capture/recorder";

/** How each kind of draw is named for people. */
export const DRAWN: Readonly<Record<DrawKind, string>> = {
  D: "the time",
  P: "performance.now",
  H: "process.hrtime",
  T: "process.uptime",
  R: "Math.random",
  U: "a UUID",
  B: "random bytes",
  N: "a random integer",
  M: "a measure of the machine",
  G: "a bound of a random integer",
};
