import { readFileSync } from "node:fs";

let known: { name: string; version: string } | null = null;

/** This package, as its own package.json names it; this file lies one folder below, as built code does. */
export function recorderVersion(): { name: string; version: string } {
  if (known !== null) return known;
  const { name, version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    name: string;
    version: string;
  };
  return (known = { name, version });
}
