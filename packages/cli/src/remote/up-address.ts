import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@reenact/envelope";
import { CliError } from "../errors/cli-error.ts";
import { makeStore } from "../store/make-store.ts";

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

/** Notes that a collector has ended with so many runs that are in its journal only. */
export function noteLeft(store: string, left: number): void {
  if (left > 0) writeFileSync(fileOf(store), JSON.stringify({ left }), { mode: 0o600 });
}

/**
 * What the collector of this store, which does not run, has left in its journal; `runs` null: it was killed, and nobody has
 * counted. Null: nothing, or it runs.
 */
export function leftUp(store: string): { folder: string; runs: number | null } | null {
  const folder = join(store, "collector");
  const noted = read(fileOf(store));
  if (noted !== null) return isAlive(noted.pid) ? null : { folder, runs: null };
  const left = json(fileOf(store))["left"];
  return typeof left === "number" && left > 0 ? { folder, runs: left } : null;
}

/** Address of the collector that runs over this store, if one does. */
export function upAddress(store: string): string | null {
  const noted = read(fileOf(store));
  return noted !== null && isAlive(noted.pid) ? noted.http : null;
}

function read(file: string): { http: string; pid: number } | null {
  const { http, pid } = json(file);
  return typeof http === "string" && typeof pid === "number" ? { http, pid } : null;
}

function json(file: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(readFileSync(file, "utf8")) as object) };
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
