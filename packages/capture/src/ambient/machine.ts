import os from "node:os";
import { here } from "../run/context.ts";
import { recordedValue } from "./recorded-value.ts";
import { replaceMethod, undoAll } from "../patch/replace-method.ts";
import { prototypeOf } from "../patch/prototype-of.ts";

type Measure = (this: unknown, ...args: unknown[]) => unknown;

const OF_THE_PROCESS = [
  "memoryUsage",
  "cpuUsage",
  "threadCpuUsage",
  "resourceUsage",
  "availableMemory",
  "constrainedMemory",
];
const OF_THE_MACHINE = ["freemem", "totalmem", "uptime", "loadavg", "availableParallelism"];

let asked: string | undefined;

/** Name of this machine, if a run has asked for it: loggers write it, and what they write is compared. */
export function hostnameRead(): string | undefined {
  return asked;
}

/**
 * Patches measures of the machine and its load: programs print them, and derive their concurrency from the number of
 * processors. Every number is one draw. Only the machine's name is an input that every replay needs.
 */
export function installMachine(): () => void {
  return undoAll([
    replaceMethod<() => string>(os, "hostname", (real) => () => {
      const name = real();
      if (here() !== null) asked ??= name;
      return name;
    }),
    replaceMethod<Measure>(process.memoryUsage, "rss", watched),
    ...OF_THE_PROCESS.map((name) => replaceMethod<Measure>(process, name, watched)),
    ...OF_THE_MACHINE.map((name) => replaceMethod<Measure>(os, name, watched)),
    replaceMethod<Measure>(prototypeOf(performance), "eventLoopUtilization", watched),
    replaceMethod<() => os.CpuInfo[]>(os, "cpus", (real) => () => {
      const all = real();
      const count = measured(all.length) as number;
      return count === all.length ? all : Array.from({ length: count }, (_, n) => all[n % all.length] as os.CpuInfo);
    }),
    () => (asked = undefined),
  ]);
}

/** The real source is asked first in every mode, so that bad arguments throw as they always do and draw nothing. */
function watched(real: Measure): Measure {
  return function (...args) {
    const answer = Reflect.apply(real, this, args);
    return here() === null ? answer : measured(answer);
  };
}

/** A value of the same shape, with the numbers that were drawn. */
function measured(value: unknown): unknown {
  if (typeof value === "number") return recordedValue("M", () => value, true);
  if (Array.isArray(value)) return value.map(measured);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, measured(each)]));
}
