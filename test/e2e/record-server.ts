import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { RunSummary, Store } from "./reenact.ts";

/**
 * Records a server that writes its address into a file: asks it for each path after another, then for those `atOnce`, and at
 * last for `/stop`, at which it ends.
 */
export async function recordServer(
  store: Store,
  command: readonly string[],
  options: {
    readonly address: string;
    readonly env: Readonly<Record<string, string>>;
    readonly paths: readonly string[];
    readonly atOnce?: readonly string[];
  },
): Promise<RunSummary> {
  const { address, env, paths, atOnce = [] } = options;
  const recording = store.run(command, { env });
  const early = recording.then(({ stderr }) => {
    throw new Error(`the program has ended: ${stderr}`);
  });
  for (const until = Date.now() + 20_000; !existsSync(address); await Promise.race([sleep(20), early]))
    if (Date.now() > until) throw new Error("the program does not listen");
  early.catch(() => {});
  const url = readFileSync(address, "utf8");
  const ask = async (path: string): Promise<void> => {
    const response = await fetch(`${url}/${path}`);
    expect(response.status, await response.text()).toBe(200);
  };
  for (const path of paths) await ask(path);
  await Promise.all(atOnce.map(ask));
  await ask("stop");
  return (await recording).summary;
}
