import { expect, test } from "vitest";
import { arrivedIn, copyChains } from "./copy-chains.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { whole } from "./slices.ts";
import { SpanTable } from "./span-table.ts";

const scope = { resource: 0, resourceLength: 1, scope: 1, scopeLength: 1, resourceUrl: "", scopeUrl: "" };
const SPANS = 20_000;

/** A run of so many spans, the n-th with the id n + 1. */
function filled(table: SpanTable, spans: number): OpenRun {
  const run = openRun({ tenant: "acme", id: "1", position: "" as OpenRun["position"], received: 0, now: 0, age: 0 });
  add(table, run, spans);
  return run;
}

function add(table: SpanTable, run: OpenRun, spans: number): void {
  const group = table.addGroup({ block: 1, record: 0, body: 0 }, scope);
  const body = new DataView(new ArrayBuffer(8));
  for (let n = 0; n < spans; n++) {
    body.setBigUint64(0, BigInt(run.spans + 1));
    const place = { offset: n, length: 1, trace: 0, id: 0, parent: -1, start: -1, run: null, root: -1, rootLength: 0 };
    run.head = table.add(run.head, group, 0, body, { ...place, ended: true, isStep: false });
    run.spans++;
  }
}

/** Calls it in each turn of the event loop until it is stopped. */
function eachTurn(call: () => void): { stop(): void } {
  let next = setImmediate(function turn() {
    call();
    next = setImmediate(turn);
  });
  return { stop: () => clearImmediate(next) };
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => BigInt(last - n));

test("others get their turn while a large run is copied", async () => {
  const table = new SpanTable();
  const run = filled(table, SPANS);
  let turns = 0;
  const others = eachTurn(() => turns++);
  const copied = await copyChains(table, () => [run]);
  others.stop();
  expect([...copied![0]!.id]).toEqual(upTo(SPANS));
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("a copy holds what was there when it was begun, though spans come meanwhile", async () => {
  const table = new SpanTable();
  const run = filled(table, SPANS);
  const copied = copyChains(table, () => [run]);
  add(table, run, 100);
  expect([...(await copied)![0]!.id]).toEqual(upTo(SPANS));
});

test("a run whose spans went to another one, or that was sealed, while it was copied is looked at again", async () => {
  const table = new SpanTable();
  const run = filled(table, SPANS);
  const copied = copyChains(table, () => [run]);
  const { rest, moved } = table.split(run.head, ({ id }) => id % 2n === 0n);
  Object.assign(run, { head: rest, spans: run.spans - moved, parted: 1 });
  const ids = new Set((await copied)![0]!.id);
  expect(ids.size).toBe(SPANS / 2);
  expect([...ids].every((id) => id % 2n === 1n)).toBe(true);

  let runs = [run];
  const gone = copyChains(table, () => runs);
  runs = [];
  whole(table.drop(run.head));
  expect(await gone).toBeNull();
});

test("a run that changes all the time is copied all the same", async () => {
  const table = new SpanTable();
  const run = filled(table, SPANS);
  const others = eachTurn(() => run.parted++);
  const copied = await copyChains(table, () => [run]);
  others.stop();
  expect([...copied![0]!.id]).toEqual(upTo(SPANS));
});

test("ids in the order in which they came, over the run that is sealed and what came since", () => {
  const table = new SpanTable();
  const runs = [filled(table, 10), filled(table, 5)];
  const all = [...upTo(10).toReversed(), ...upTo(5).toReversed()];
  for (let from = 0; from <= 16; from++)
    for (let most = 0; most <= 16; most++)
      expect(arrivedIn(table, runs, from, most)).toEqual({ total: 15, ids: all.slice(from, from + most) });
});
