import { parse } from "node:path";

/** The working folder of the process; where it was removed, the one in which the process was when this was loaded. */
export function workingFolder(): string {
  return current() ?? first ?? root;
}

function current(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

const first = current();
const { root } = parse(process.execPath);
