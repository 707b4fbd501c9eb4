import { createRequire } from "node:module";
import { replaceMethod } from "../patch/replace-method.ts";
import { leaked } from "./leaked.ts";

/** What it is called among leaks. */
export const PARENT_PROCESS = "the process that started it";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Counts messages to and from the process that forked this one; a worker of `node:cluster` depends on them from the start. */
export function watchParentProcess(): (() => void)[] {
  if (process.channel === undefined || process.send === undefined) return [];
  const { isWorker } = createRequire(import.meta.url)("node:cluster") as { isWorker: boolean };
  if (isWorker) queueMicrotask(() => leaked("parent", PARENT_PROCESS, true));
  const count =
    (isOfParent: (args: readonly unknown[]) => boolean) =>
    (real: AnyFunction): AnyFunction =>
      function (this: unknown, ...args) {
        if (isOfParent(args)) leaked("parent", PARENT_PROCESS);
        return Reflect.apply(real, this, args);
      };
  return [
    replaceMethod<AnyFunction>(
      process,
      "send",
      count(() => true),
      "count",
    ),
    replaceMethod<AnyFunction>(
      process,
      "emit",
      count(([event, type]) => event === "newListener" && type === "message"),
      "count",
    ),
  ];
}
