import { resolve } from "node:path";
import { effectFrame } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import { watchWrites } from "./database-writes.ts";
import { leaked } from "./leaked.ts";
import type { OpenedDatabase } from "./opened-databases.ts";

/** A driver may open through another one, and a replay's scratch copies do: only the outermost call is the agent's. */
let inside = false;

/** Makes a call of the agent's that opens a database, and counts the file; `driver`: the class that can open it again. */
export function openDatabase<T>(
  given: unknown,
  isReadOnly: boolean,
  driver: OpenedDatabase["driver"],
  call: () => T,
): T {
  const frame = effectFrame();
  const file = inside || frame === null ? null : fileOf(given);
  if (file === null || frame === null) return call();
  inside = true;
  try {
    if (driver.name === "DatabaseSync") leaked(isReadOnly ? "read" : "write", `database ${file}`);
    if (!isReadOnly) guarded("databases", undefined, () => frame.run?.databases.opened(file, driver));
    const made = call();
    const isWatched = guarded("databases", false, () => watchWrites(made as object, file));
    // writes of a driver of another shape are not seen: opening for writing counts as one
    if (!isReadOnly && !isWatched) guarded("databases", undefined, () => frame.run?.databases.wrote(file, frame.scope));
    return made;
  } finally {
    inside = false;
  }
}

/** null: a database in memory, or a temporary one. */
function fileOf(given: unknown): string | null {
  const text = given instanceof URL ? given.href : Buffer.isBuffer(given) ? given.toString() : given;
  if (typeof text !== "string" || text === "" || text.startsWith(":memory:")) return null;
  if (!text.startsWith("file:")) return resolve(text);
  const [path = "", query = ""] = text
    .slice("file:".length)
    .replace(/^\/\/[^/]*/, "")
    .split("?");
  const isInMemory = path === "" || path === ":memory:" || new URLSearchParams(query).get("mode") === "memory";
  return isInMemory ? null : resolve(decodeURIComponent(path));
}
