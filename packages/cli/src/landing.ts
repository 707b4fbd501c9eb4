import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { CliError } from "./cli-error.ts";
import { makeStore } from "./make-store.ts";
import { readRunFile } from "./run-files.ts";

/** Runs on their way into a store: all of them become visible, or none. */
export interface Landing {
  /** Checks every digest. A run that is there already stays, if it is the same one or a later revision. */
  add(envelope: Uint8Array, where: string, expected?: string): string;
  /** Ids of the runs, in the order in which they were added. */
  land(): string[];
  /** Removes what has not landed. */
  drop(): void;
}

export function openLanding(store: string): Landing {
  const folder = join(store, "runs");
  const waiting = new Map<string, string>();
  const runs: string[] = [];
  const written = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw CliError.store(store, "cannot write to", error);
    }
  };

  return {
    add(bytes, where, expected) {
      const header = checked(bytes, where);
      if (expected !== undefined && header.run !== expected)
        throw new CliError("REEN-DAMAGED", `${where} gave run ${header.run} for ${expected}`, "fetch it again");
      const path = join(folder, `${header.run}.reenact`);
      runs.push(header.run);
      written(() => {
        const there = headerThere(path);
        if (there !== null && (there.content === header.content || there.revision > header.revision)) return;
        const fresh = `${path}.${process.pid}.tmp`;
        makeStore(store, "runs");
        writeFileSync(fresh, bytes, { mode: 0o600, flag: waiting.has(path) ? "w" : "wx" });
        waiting.set(path, fresh);
      });
      return header.run;
    },
    land() {
      written(() => {
        for (const [path, fresh] of waiting) renameSync(fresh, path);
      });
      waiting.clear();
      return [...new Set(runs)];
    },
    drop() {
      for (const fresh of waiting.values()) rmSync(fresh, { force: true });
      waiting.clear();
    },
  };
}

function checked(bytes: Uint8Array, where: string) {
  try {
    return readEnvelope(bytes).header;
  } catch (error) {
    throw CliError.from(error, where);
  }
}

/** One that cannot be read is replaced. */
function headerThere(path: string): { content: string; revision: number } | null {
  if (!existsSync(path)) return null;
  try {
    return readRunFile(path).header;
  } catch {
    return null;
  }
}
