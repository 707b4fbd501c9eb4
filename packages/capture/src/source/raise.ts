import { runInThisContext } from "node:vm";

type Raise = (error: unknown) => never;

// Node prints the source line at which an uncaught error was thrown, unless that line holds this comment: ours are long
const code = "(error) => { throw error; /* node-do-not-add-exception-line */ }";
let compiled: Raise | null = null;

/** Throws a value that is not our error. If it is not caught, Node prints no line of our code. */
export function raise(error: unknown): never {
  compiled ??= runInThisContext(code, { filename: "reenact" }) as Raise;
  return compiled(error);
}
