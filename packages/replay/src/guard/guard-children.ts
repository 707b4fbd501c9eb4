import type { ChildProcess } from "node:child_process";
import { isLoadingProgram, nodeChildren, raise, recordsChild, recordsSyncChildren } from "@reenact/capture/recorder";
import type { GuardOptions } from "./guard-options.ts";
import { named } from "./named.ts";

type Start = (this: unknown, ...args: unknown[]) => unknown;

const SYNCHRONOUS = ["spawnSync", "execSync", "execFileSync"] as const;

/** Refuses child processes that the recorder does not answer from the record. */
export function guardChildren({ refuse, applies }: Pick<GuardOptions, "refuse" | "applies">): () => void {
  const isFree = (): boolean => !applies() || isLoadingProgram();
  const children = nodeChildren();
  const table = children as unknown as Record<string, Start>;
  const undo = SYNCHRONOUS.map((name) => {
    const real = table[name] as Start;
    table[name] = named(real, function (this: unknown, ...args: unknown[]) {
      const [file] = args;
      if (isFree() || (recordsSyncChildren() && recordsChild({ file }))) return real.apply(this, args);
      return raise(refuse("child", String(file)));
    });
    return () => void (table[name] = real);
  });
  // what all others come down to, and Node's own callers (`cluster`), which keep the functions from before
  const below = children.ChildProcess.prototype as unknown as { spawn: Start };
  const { spawn } = below;
  below.spawn = named(spawn, function (this: ChildProcess, ...args: unknown[]) {
    const [options] = args;
    if (isFree() || recordsChild(options)) return spawn.apply(this, args);
    const isGiven = typeof options === "object" && options !== null && "file" in options;
    return raise(refuse("child", String(isGiven ? options.file : undefined)));
  } as Start);
  undo.push(() => void (below.spawn = spawn));
  return () => undo.forEach((step) => step());
}
