import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { loadScopeScrubber, readConfig } from "@reenact/node";
import { writeWhole } from "@reenact/node/seal";
import { redactedLine } from "@reenact/view";
import { definitionText, type FixtureFiles } from "../fixture/fixture.ts";
import { FixtureError } from "../fixture/fixture-error.ts";
import { strayValues } from "../fixture/stray-values.ts";

/**
 * Makes a recorded run the fixture: each file is replaced as a whole. What an earlier record led to (an expected fix, an accepted
 * outcome) is expected no more. Throws, and writes nothing, where the rules of now find a value in the run.
 */
export function writeFixture(files: FixtureFiles, recorded: { run: string; id: string; store: string }): void {
  const bytes = readFileSync(recorded.run);
  const { store } = recorded;
  const { configFile } = readConfig().config;
  const found = loadScopeScrubber({ env: process.env, folder: store, configFile, policy: undefined, temporary: true });
  if ("error" in found) throw new FixtureError("CANNOT_RECORD", found.error, "correct it, and record again");
  const strays = strayValues(readEnvelope(bytes), found.scrubber);
  if (Object.keys(strays).length > 0)
    throw new FixtureError(
      "CANNOT_RECORD",
      `the run holds what would now be redacted (${redactedLine(strays)}); the fixture was not written`,
      "correct the redaction policy of the project, and record again",
    );
  mkdirSync(dirname(files.envelope), { recursive: true });
  writeWhole(files.envelope, bytes);
  const text = definitionText({
    schemaVersion: 1,
    run: recorded.id,
    expect: "same",
    command: null,
    folder: files.definition?.folder ?? ".",
    runTools: files.definition?.runTools ?? [],
    accepted: null,
  });
  writeWhole(files.definitionFile, Buffer.from(text));
}
