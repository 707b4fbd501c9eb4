import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvelope } from "./read-envelope.ts";

const folder = join(import.meta.dirname, "../../../../test/fixtures/envelopes");

test("there is a golden envelope of every version", () => {
  expect(globSync("*.reenact", { cwd: folder }).toSorted()).toEqual(["v1-parallel-calls.reenact", "v1-replay.reenact"]);
});

test.each(globSync("*.reenact", { cwd: folder }))("%s still says what it said", (name) => {
  const envelope = readEnvelope(readFileSync(join(folder, name)));
  const text = readFileSync(join(folder, name.replace(/reenact$/, "json")), "utf8");
  const expected = JSON.parse(text) as Record<string, unknown>;
  const { header, manifest, complete, facts, steps, journals } = envelope;
  const bodies = steps.map(({ span }) => [span.attributes["input.value"], span.attributes["output.value"]]);
  const held = {
    header,
    manifest,
    complete,
    facts,
    records: steps.map(({ record }) => record),
    bodies,
    journals: Object.fromEntries(journals),
  };
  expect(JSON.parse(JSON.stringify(held))).toEqual(expected);
});
