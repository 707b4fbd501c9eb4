import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeTraces, scanTraces } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CliError } from "../errors/cli-error.ts";
import { rehydrate } from "./rehydrate.ts";
import type { RemoteRun, RemoteRuns } from "../remote/remote-runs.ts";

const golden = readEnvelope(
  readFileSync(join(import.meta.dirname, "../../../../test/fixtures/envelopes/v1-parallel-calls.reenact")),
);

function envelopeOf(run: string): Uint8Array {
  const pieces = golden.spans.map(({ span, scanned }) =>
    encodeTraces({ ...span, attributes: { ...span.attributes, "reenact.run.id": run } }, scanned),
  );
  return writeEnvelope({ spans: scanTraces(Buffer.concat(pieces)) }).bytes;
}

const runOf = (n: number): RemoteRun => ({
  run: n.toString(16).padStart(32, "0"),
  started: n * 1000,
  session: null,
  instance: "one",
});

/** A place with runs 0 … count−1 of one process; `change` may take a run's bytes away or replace them. */
function place(count: number, change: (run: string) => Uint8Array | Error | null = () => null): RemoteRuns {
  const all = Array.from({ length: count }, (_, n) => runOf(n));
  return {
    place: "a place",
    list: () => Promise.resolve({ rows: [], next: null, count: null }),
    find: (prefix) => Promise.resolve(all.find(({ run }) => run.startsWith(prefix))!),
    related: ({ run }) => Promise.resolve(all.filter((each) => each.run !== run)),
    envelope: ({ run }) => {
      const changed = change(run);
      return changed instanceof Error ? Promise.reject(changed) : Promise.resolve(changed ?? envelopeOf(run));
    },
    close: () => {},
  };
}

let store: string;
beforeEach(() => (store = mkdtempSync(join(tmpdir(), "reenact-store-"))));
afterEach(() => rmSync(store, { recursive: true, force: true }));
const held = (): string[] => (existsSync(join(store, "runs")) ? readdirSync(join(store, "runs")) : []);

test("of a process with very many runs the nearest come", async () => {
  const asked = runOf(130);
  const { runs, left, skipped } = await rehydrate(store, place(140), asked);
  expect({ runs: runs.length, left, skipped }).toEqual({ runs: 101, left: 39, skipped: [] });
  expect(runs.at(-1)).toBe(asked.run);
  expect(runs[0]).toBe(runOf(39).run);
  expect(held()).toHaveLength(101);
});

test("one that belongs to it and has expired is left out, and told of", async () => {
  const gone = new CliError("REEN-EXPIRED", "it has expired", "nothing");
  const from = place(3, (run) => (run === runOf(0).run ? gone : null));
  const done = await rehydrate(store, from, runOf(2));
  expect(done).toMatchObject({ skipped: [{ run: runOf(0).run, why: "it has expired" }] });
  expect(done.runs).toEqual([runOf(1).run, runOf(2).run]);
});

test("one whose digests do not fit, or that is another run, is an error, and none of them is written", async () => {
  const flipped = Buffer.from(envelopeOf(runOf(1).run));
  flipped[flipped.length - 40]! ^= 1;
  for (const bytes of [flipped, envelopeOf(runOf(7).run)]) {
    const from = place(3, (run) => (run === runOf(1).run ? bytes : null));
    await expect(rehydrate(store, from, runOf(2))).rejects.toMatchObject({ code: "REEN-DAMAGED" });
    expect(held()).toEqual([]);
  }
  const from = place(3, (run) => (run === runOf(2).run ? flipped : null));
  await expect(rehydrate(store, from, runOf(2))).rejects.toMatchObject({ code: "REEN-DAMAGED" });
  expect(held()).toEqual([]);
});
