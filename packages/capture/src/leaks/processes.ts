import childProcess from "node:child_process";
import { replaceMethod } from "../patch/replace-method.ts";
import { leaked } from "./leaked.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const LONGEST_TARGET = 200;

/** Counts child processes, by their command line. */
export function watchProcesses(): (() => void)[] {
  const count = (line: unknown[]): boolean =>
    leaked(
      "child",
      line
        .filter((part) => typeof part === "string")
        .join(" ")
        .slice(0, LONGEST_TARGET),
    );
  const watch = (owner: object, key: string, lineOf: (args: unknown[]) => unknown[]): (() => void) =>
    replaceMethod<AnyFunction>(
      owner,
      key,
      (real) =>
        function (this: unknown, ...args) {
          count(lineOf(args));
          return Reflect.apply(real, this, args);
        },
      "count",
    );
  const list = (args: unknown[]): unknown[] => [args[0], ...(Array.isArray(args[1]) ? (args[1] as unknown[]) : [])];
  return [
    watch(childProcess.ChildProcess.prototype, "spawn", ([options]) => {
      const { file, args } = (options ?? {}) as { file?: unknown; args?: unknown };
      return Array.isArray(args) && args.length > 0 ? (args as unknown[]) : [file];
    }),
    watch(childProcess, "spawnSync", list),
    watch(childProcess, "execFileSync", list),
    watch(childProcess, "execSync", (args) => [args[0]]),
  ];
}
