import os from "node:os";
import { syncBuiltinESMExports } from "node:module";
import { findTokens } from "@reenact/envelope";
import type { RootFacts } from "./tape.ts";

/** Gives the program the number of its recorded process, and the name of the machine if it had asked for it. */
export function showRecordedMachine({ pid, host }: NonNullable<RootFacts["process"]>): void {
  if (pid !== undefined) {
    const before = Object.getOwnPropertyDescriptor(process, "pid");
    Object.defineProperty(process, "pid", { ...before, value: pid });
  }
  if (host === undefined || findTokens(host).length > 0) return;
  const { hostname } = os;
  os.hostname = Object.defineProperties(() => host, Object.getOwnPropertyDescriptors(hostname)) as typeof hostname;
  syncBuiltinESMExports();
}
