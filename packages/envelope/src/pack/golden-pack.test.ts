import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPackIndex } from "./pack-footer.ts";
import { packKey, packName } from "./pack-name.ts";
import { readPackedEnvelope } from "./read-pack.ts";

const folder = join(import.meta.dirname, "../../../../test/fixtures/packs");

test("there is a golden pack of every version", () => {
  expect(globSync("*.pack", { cwd: folder })).toEqual(["v1-two-runs.pack"]);
});

test.each(globSync("*.pack", { cwd: folder }))("%s still says what it said", (file) => {
  const bytes = readFileSync(join(folder, file));
  const golden: unknown = JSON.parse(readFileSync(join(folder, file.replace(/pack$/, "json")), "utf8"));
  const index = readPackIndex(bytes, bytes.length);
  expect({ key: packKey({ ...index, name: packName(index.runs) }), index }).toEqual(golden);
  const runs = index.runs.map((entry) =>
    readPackedEnvelope(bytes.subarray(entry.offset, entry.offset + entry.length), entry),
  );
  expect(runs.map(({ foreign, complete, spans }) => ({ foreign, complete, spans: spans.length }))).toEqual([
    { foreign: false, complete: true, spans: 3 },
    { foreign: true, complete: false, spans: 1 },
  ]);
});
