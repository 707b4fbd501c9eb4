import { callerFrames } from "@reenact/capture/recorder";

const FRAMES = 50;
const MOST_TOLD = 10;

/**
 * Makes an error of ours whose stack is its caller's. V8 keeps no frames of ours with it, so that Node prints no source line
 * of ours if it is not caught.
 */
export function fromCaller<E extends Error>(make: () => E): E {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const frames = callerFrames(new Error())
    .filter((line) => !/\(?node:/.test(line))
    .slice(0, MOST_TOLD);
  Error.stackTraceLimit = 0;
  const error = make();
  Error.stackTraceLimit = limit;
  const value = [`${error.name}: ${error.message}`, ...frames].join("\n");
  Object.defineProperty(error, "stack", { value, writable: true, configurable: true, enumerable: false });
  return error;
}
