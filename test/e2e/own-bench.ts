import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";

/** What the tests of a file record and replay with: a provider in a process of its own, a store, and a folder for what else they write. */
export interface OwnBench {
  readonly folder: string;
  readonly store: Store;
  /** there once the tests run */
  readonly provider: ChildProvider;
}

/** Made before the tests of the file that calls it, and gone after them. */
export function ownBench(): OwnBench {
  const folder = mkdtempSync(join(tmpdir(), "own-bench-"));
  const store = new Store();
  let provider: ChildProvider | null = null;
  beforeAll(async () => {
    provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  });
  afterAll(async () => {
    await provider?.stop();
    store.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    store,
    get provider() {
      if (provider === null) throw new Error("the provider starts with the tests");
      return provider;
    },
  };
}
