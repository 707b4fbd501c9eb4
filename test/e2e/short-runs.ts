import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChildProvider } from "../provider/child-provider.ts";
import { bin, type Ended, launch, type RunSummary, Store } from "./reenact.ts";

/** One call and one tool. */
export const program = fileURLToPath(new URL("../programs/short-agent.mjs", import.meta.url));
export const agent = [process.execPath, program];

/** Recorded runs of the short agent, and the commands over them. */
export interface ShortRuns {
  readonly folder: string;
  readonly store: Store;
  /** of the provider */
  readonly url: string;
  /** in the order of their recording */
  readonly ids: readonly string[];
  readonly first: RunSummary;
  /** what the first one printed */
  readonly stdout: string;
  reenact(...args: string[]): Promise<Ended>;
  /** the same over the store of these runs */
  inStore(...args: string[]): Promise<Ended>;
  stop(): Promise<void>;
}

/** Records the agent once for each list of arguments. */
export async function shortRuns(...runs: readonly (readonly string[])[]): Promise<ShortRuns> {
  const folder = mkdtempSync(join(tmpdir(), "short-runs-"));
  const store = new Store();
  const provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  const env = {
    PROVIDER_URL: provider.url,
    PROVIDER_KEY: "sk-proj-abcdefghijklmnopqrstuvwxyz012345",
    WHO: "Ada",
  };
  const recorded = [];
  for (const args of runs) recorded.push(await store.run([...agent, ...args], { env }));
  const reenact = (...args: string[]): Promise<Ended> => launch([process.execPath, bin, ...args], { cwd: folder });
  return {
    folder,
    store,
    url: provider.url,
    ids: recorded.map(({ summary }) => summary.run as string),
    first: recorded[0]!.summary,
    stdout: recorded[0]!.stdout,
    reenact,
    inStore: (...args) => reenact(...args.slice(0, 1), "--store", store.folder, ...args.slice(1)),
    async stop() {
      await provider.stop();
      store.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
