import childProcess from "node:child_process";
import { promisify } from "node:util";
import { isLoadingProgram, raise } from "@reenact/capture/recorder";
import type { GuardOptions } from "./guard-options.ts";
import { named } from "./named.ts";

type Start = (this: unknown, ...args: unknown[]) => unknown;

type PropertyDescriptors = Record<PropertyKey, PropertyDescriptor>;

const STARTERS = ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const;

/** Refuses child processes. */
export function guardChildren({ refuse, applies }: Pick<GuardOptions, "refuse" | "applies">): () => void {
  const isFree = (): boolean => !applies() || isLoadingProgram();
  const table = childProcess as unknown as Record<string, Start>;
  const undo = STARTERS.map((name) => {
    const real = table[name] as Start;
    const guarded = named(real, function (this: unknown, ...args: unknown[]) {
      if (isFree()) return real.apply(this, args);
      return raise(refuse("child", String(args[0])));
    });
    const { [promisify.custom]: promise, ...rest } = Object.getOwnPropertyDescriptors(real) as PropertyDescriptors;
    Object.defineProperties(guarded, rest);
    // Node's own one holds the function that is guarded here
    if (promise !== undefined) {
      const promised = promise.value as Start;
      const value = named(promised, (...args: unknown[]) =>
        isFree() ? promised(...args) : Promise.reject(refuse("child", String(args[0]))),
      );
      Object.defineProperty(guarded, promisify.custom, { ...promise, value });
    }
    table[name] = guarded;
    return () => void (table[name] = real);
  });
  // what all others come down to, and Node's own callers (`cluster`), which keep the functions from before
  const below = childProcess.ChildProcess.prototype as unknown as { spawn: Start };
  const { spawn } = below;
  below.spawn = named(spawn, function (this: unknown, ...args: unknown[]) {
    if (isFree()) return spawn.apply(this, args);
    const [options] = args;
    const isGiven = typeof options === "object" && options !== null && "file" in options;
    return raise(refuse("child", String(isGiven ? options.file : undefined)));
  });
  undo.push(() => void (below.spawn = spawn));
  return () => undo.forEach((step) => step());
}
