import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { RunSummary, Store } from "./reenact.ts";

/**
 * Records a server that writes its address into a file, while `ask` sends it requests. It is ended by a request to `/stop`.
 *
 * @param options.address the file; default: what the command names last
 */
export async function recordServer(
  store: Store,
  command: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly address?: string },
  ask: (url: string) => Promise<void>,
): Promise<RunSummary> {
  const { env, address = command.at(-1) ?? "" } = options;
  rmSync(address, { force: true });
  const recording = store.run(command, { env });
  const early = recording.then(({ stderr }) => {
    throw new Error(`the program has ended: ${stderr}`);
  });
  for (const until = Date.now() + 20_000; !existsSync(address); await Promise.race([sleep(20), early]))
    if (Date.now() > until) throw new Error("the program does not listen");
  early.catch(() => {});
  const url = readFileSync(address, "utf8");
  try {
    await ask(url);
  } finally {
    // one that has ended by itself does not answer
    await fetch(`${url}/stop`).catch(() => {});
  }
  return (await recording).summary;
}

/** Asks for each path after another, then for those `atOnce`. */
export function getPaths(paths: readonly string[], atOnce: readonly string[] = []): (url: string) => Promise<void> {
  return async (url) => {
    const get = async (path: string): Promise<void> => {
      const response = await fetch(`${url}/${path}`);
      expect(response.status, await response.text()).toBe(200);
    };
    for (const path of paths) await get(path);
    await Promise.all(atOnce.map(get));
  };
}
