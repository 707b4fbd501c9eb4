import type { Ledger } from "./ledger.ts";

/** Reports that the program ends itself with a signal, where the recorded one ended with an exit code. */
export function reportOwnDeath(ledger: Ledger, signal: string): void {
  const { root, complete } = ledger.tape;
  const recorded = root.process?.exitCode ?? null;
  if (!complete || recorded === null) return;
  ledger.findings.add("exit-code-changed");
  const cause = `the program ended itself with ${signal}; the recorded run ended with exit code ${recorded}`;
  ledger.diverged(null, null, "exit-code-changed", { pointer: "", recorded, now: signal }, cause);
}
