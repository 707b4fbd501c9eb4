import { writeFileSync } from "node:fs";
import { encodeSpan } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listRuns, type RunFile, siblingRuns } from "./run-files.ts";
import { goldenSpans, idOf, runStore } from "./run-store.test.fixture.ts";

const store = runStore();

/** Writes a run of the process `instance`. `null`: of that which the resource names. */
function keep(n: number, { instance, ofReplay, name }: Drawn): void {
  const run = n.toString(16).padStart(32, "0");
  const startUnixNano = 1_790_000_000_000_000_000n + BigInt(n);
  const changed = goldenSpans.map(({ scanned, span }) => {
    const root = span.attributes["reenact.root"];
    const facts = typeof root === "string" ? rootOf(root, { instance, ofReplay, name }) : null;
    return {
      ...scanned,
      span: encodeSpan({
        ...span,
        traceId: run,
        startUnixNano,
        endUnixNano: startUnixNano + 1n,
        attributes: {
          ...span.attributes,
          "reenact.run.id": run,
          ...(facts === null ? {} : { "reenact.root": facts }),
        },
      }),
    };
  });
  writeFileSync(store.fileOf(run), writeEnvelope({ spans: changed, run }).bytes);
}

interface Drawn {
  readonly instance: string | null;
  readonly ofReplay: boolean;
  readonly name: string;
}

function rootOf(json: string, { instance, ofReplay, name }: Drawn): string {
  const { instance: _, ...facts } = JSON.parse(json) as Record<string, unknown>;
  return JSON.stringify({
    ...facts,
    name,
    ...(instance === null ? {} : { instance }),
    ...(ofReplay ? { replay: { of: "a".repeat(32), verdict: "identical" } } : {}),
  });
}

/** From the manifests, each of them parsed. */
const siblingsIn = (runs: readonly RunFile[], run: RunFile): string[] =>
  runs
    .filter(({ manifest }) => manifest.instance !== undefined && manifest.instance === run.manifest.instance)
    .filter(({ manifest, header }) => manifest.replay === undefined && header.run !== run.header.run)
    .map(idOf);

// names that equal an instance, instances that JSON escapes or that begin another one
const text = fc.constantFrom("4711", "471", 'a"b\\c', "ä\n😀", "\u0001", "x");
const drawn = fc.record({ instance: fc.option(text), ofReplay: fc.boolean(), name: text });

test("the siblings are those that the manifests tell, whatever the instance is", () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 12 }), (all) => {
      store.empty();
      all.forEach((one, n) => keep(n, one));
      const { runs, damaged } = listRuns(store.folder);
      expect(damaged).toEqual([]);
      for (const run of runs) {
        const siblings = siblingRuns(store.folder, run).map(idOf);
        expect(siblings).toEqual(siblingsIn(runs, run));
        found += siblings.length;
      }
    }),
    { numRuns: 40 },
  );
  expect(found).toBeGreaterThan(0);
});

test("a damaged file hides no sibling", () => {
  for (let n = 0; n < 3; n++) keep(n, { instance: "one", ofReplay: false, name: "x" });
  writeFileSync(store.fileOf("e".repeat(32)), "no run");
  const run = listRuns(store.folder).runs[0] as RunFile;
  expect(siblingRuns(store.folder, run).map(idOf)).toEqual(["1", "0"].map((n) => n.padStart(32, "0")));
});
