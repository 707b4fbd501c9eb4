import type * as ChildProcesses from "node:child_process";

/**
 * Node's module, loaded when it is first asked for: it keeps the timer functions that it finds then, and those have to be the
 * recorded ones, since time-outs of children are set with them.
 */
export function nodeChildren(): typeof ChildProcesses {
  return process.getBuiltinModule("node:child_process");
}
