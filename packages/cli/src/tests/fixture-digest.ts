import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DEFINITION_ENDING, RUN_ENDING } from "@reenact/testing";

/** Of all that decides what a fixture expects: its definition and its recorded run. */
export function fixtureDigest(definitionFile: string): string {
  const hash = createHash("sha256");
  const envelope = `${definitionFile.slice(0, -DEFINITION_ENDING.length)}${RUN_ENDING}`;
  for (const path of [definitionFile, envelope]) {
    try {
      hash.update(readFileSync(path)).update("\n");
    } catch {
      hash.update("gone\n");
    }
  }
  return hash.digest("hex").slice(0, 32);
}
