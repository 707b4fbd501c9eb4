import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import { makeStore } from "../make-store.ts";

const fileOf = (store: string): string => join(store, "collector", "up.json");

/** Notes where the collector of this store is, for commands that read; the result takes the note away. */
export function noteUp(store: string, http: string): () => void {
  const file = fileOf(store);
  try {
    makeStore(store, "collector");
    writeFileSync(file, JSON.stringify({ http, pid: process.pid }), { mode: 0o600 });
  } catch (error) {
    throw CliError.store(store, "cannot write to", error);
  }
  return () => {
    if (read(file)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** Address of the collector that runs over this store, if one does. */
export function upAddress(store: string): string | null {
  const noted = read(fileOf(store));
  return noted !== null && isAlive(noted.pid) ? noted.http : null;
}

function read(file: string): { http: string; pid: number } | null {
  try {
    const { http, pid } = JSON.parse(readFileSync(file, "utf8")) as { http?: unknown; pid?: unknown };
    return typeof http === "string" && typeof pid === "number" ? { http, pid } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
