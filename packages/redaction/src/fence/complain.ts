import fs from "node:fs";

const warned = new Set<string>();
const write = fs.writeSync;

/** One line to file descriptor 2, once per process: never `console`, which the agent may have patched. */
export function complain(line: string): void {
  if (warned.has(line)) return;
  warned.add(line);
  try {
    write(2, `reenact: ${line}\n`);
  } catch {
    // a closed standard error is no reason to fail
  }
}
