import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunSummary, Store } from "./reenact.ts";

/**
 * Records a server that writes its address into the file which its command names last, while `ask` sends it requests. It is ended by a
 * request to `/stop`.
 */
export async function recordServer(
  store: Store,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  ask: (url: string) => Promise<void>,
): Promise<RunSummary> {
  const file = command.at(-1) ?? "";
  rmSync(file, { force: true });
  const recording = store.run(command, { env });
  for (const until = Date.now() + 20_000; !existsSync(file); await sleep(20))
    if (Date.now() > until) throw new Error("the program does not listen");
  const url = readFileSync(file, "utf8");
  try {
    await ask(url);
  } finally {
    await fetch(`${url}/stop`).catch(() => {});
  }
  return (await recording).summary;
}
