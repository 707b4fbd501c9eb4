import os from "node:os";
import { syncBuiltinESMExports } from "node:module";
import { findTokens } from "@reenact/envelope";
import type { RootFacts } from "../tape/tape.ts";

/** Gives the program the numbers of its recorded process and of the one above it, and the name of the machine if it had asked for it. */
export function showRecordedMachine({ pid, ppid, host }: NonNullable<RootFacts["process"]>): void {
  for (const [name, value] of Object.entries({ pid, ppid })) {
    if (value === undefined) continue;
    const before = Object.getOwnPropertyDescriptor(process, name);
    Object.defineProperty(process, name, { ...before, value });
  }
  if (host === undefined || findTokens(host).length > 0) return;
  const { hostname } = os;
  os.hostname = Object.defineProperties(() => host, Object.getOwnPropertyDescriptors(hostname)) as typeof hostname;
  syncBuiltinESMExports();
}
