import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

let known: { name: string; version: string } | null = null;

/** Name and version of this package. From "..", since `dist/package.json` has neither. */
export function recorderVersion(): { name: string; version: string } {
  if (known !== null) return known;
  const path = findPackageJSON("..", import.meta.url);
  if (path === undefined) throw new Error("@reenact/node has no package.json");
  const { name, version } = JSON.parse(readFileSync(path, "utf8")) as { name: string; version: string };
  return (known = { name, version });
}
