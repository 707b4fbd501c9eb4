import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { CliError } from "../errors/cli-error.ts";
import { makeStore } from "./make-store.ts";
import { readRunFile } from "./run-files.ts";

/** Adds runs to a store. None of them is visible before `commit`, which renames their files one after the other. */
export interface RunImporter {
  /**
   * Checks every digest of the envelope and returns the id of its run. A stored run with the same content or a later
   * revision is kept. `source` (a path or address) is for error messages; a run other than `expected` is an error.
   */
  add(envelope: Uint8Array, source: string, expected?: string): string;
  /** Returns the ids of the runs in the order in which they were added. */
  commit(): string[];
  /** Deletes runs that were added and not committed. */
  drop(): void;
}

export function openRunImporter(store: string): RunImporter {
  const folder = join(store, "runs");
  const pending = new Map<string, string>();
  const runs: string[] = [];
  const written = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw CliError.store(store, "cannot write to", error);
    }
  };

  return {
    add(bytes, source, expected) {
      const header = checked(bytes, source);
      if (expected !== undefined && header.run !== expected)
        throw new CliError(
          "REEN-DAMAGED",
          `${source} returned run ${header.run} instead of ${expected}`,
          "fetch it again",
        );
      const path = join(folder, `${header.run}.reenact`);
      runs.push(header.run);
      written(() => {
        const there = headerThere(path);
        if (there !== null && (there.content === header.content || there.revision > header.revision)) return;
        const fresh = `${path}.${process.pid}.tmp`;
        makeStore(store, "runs");
        writeFileSync(fresh, bytes, { mode: 0o600, flag: pending.has(path) ? "w" : "wx" });
        pending.set(path, fresh);
      });
      return header.run;
    },
    commit() {
      written(() => {
        for (const [path, fresh] of pending) renameSync(fresh, path);
      });
      pending.clear();
      return [...new Set(runs)];
    },
    drop() {
      for (const fresh of pending.values()) rmSync(fresh, { force: true });
      pending.clear();
    },
  };
}

function checked(bytes: Uint8Array, source: string) {
  try {
    return readEnvelope(bytes).header;
  } catch (error) {
    throw CliError.from(error, source);
  }
}

/** The header of the stored run; null where there is none or it cannot be read, so that it is replaced. */
function headerThere(path: string): { content: string; revision: number } | null {
  if (!existsSync(path)) return null;
  try {
    return readRunFile(path).header;
  } catch {
    return null;
  }
}
