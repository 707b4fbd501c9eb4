import fc from "fast-check";
import { expect, test } from "vitest";
import { foreignSpan, sampleId, sampleRun, type SampleSpan } from "../assemble/sample-spans.test.fixture.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { packKeys, sealedRunsOf } from "./read-packs.ts";
import { openWorkbench } from "./workbench.test.fixture.ts";

const RUNS = 4;
const STEPS = 4;
const MODES: Readonly<Record<string, number>> = { small: 8, ci: 60, full: 2_000 };
const numRuns = MODES[process.env["TEST_SCALE"] ?? "small"] ?? 8;
/** A sequence takes a second; one that takes this long has come to a stop. */
const HANGS_MS = 60_000;
/** Each attempt at a shorter sequence takes a second, too: after this the shortest that is known is told. */
const SHRINK_MS = 60_000;

type Act =
  | { readonly do: "send"; readonly spans: readonly number[] }
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "crash" }
  /** `crash`: in the middle of it */
  | { readonly do: "prune"; readonly crash: boolean }
  | { readonly do: "trouble"; readonly kind: "before" | "after" | "read" };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      spans: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(0, 1_000, 5_000, 600_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "crash" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("prune" as const), crash: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("trouble" as const), kind: fc.constantFrom("before", "after", "read") }),
  },
);

/** All spans that may be sent: those of four runs of ours, two in one trace, and some that others made. */
function spansToSend(): { span: SampleSpan; owners: readonly string[] }[] {
  const shared = sampleId(500);
  const runs = Array.from({ length: RUNS }, (_, n) =>
    sampleRun(n, { steps: STEPS, ...(n >= 2 && { trace: shared }), status: n === 1 ? "failed" : "ok" }),
  );
  const own = runs.flatMap(({ run, root, steps }) => [root, ...steps].map((span) => ({ span, owners: [run] })));
  const alone = sampleId(600);
  const others = [1, 2, 3].map((id) => ({
    span: foreignSpan({ trace: alone, id, parent: id === 1 ? null : "0000000000000001" }),
    owners: [alone],
  }));
  // Context of a trace with two runs of ours: whichever takes it, or the trace itself where no run of it ever came.
  const above = [null, "000000000000004d", runs[2]!.steps[0]!.spanId, runs[3]!.steps[0]!.spanId, "000000000000004f"];
  const context = above.map((parent, n) => ({
    span: foreignSpan({ trace: shared, id: 0x4d + n, parent }),
    owners: [shared, runs[2]!.run, runs[3]!.run],
  }));
  return [...own, ...others, ...context];
}

/** A store that fails once, when it is told to. */
function troubled(store: ObjectStore): { store: ObjectStore; next: "before" | "after" | "read" | null } {
  const state: { store: ObjectStore; next: "before" | "after" | "read" | null } = { store, next: null };
  const fails = (kind: "before" | "after" | "read") => {
    if (state.next !== kind) return;
    state.next = null;
    throw new StoreError("UNAVAILABLE", kind, "made for this test");
  };
  state.store = {
    ...store,
    async putIfAbsent(key, body) {
      fails("before");
      const outcome = await store.putIfAbsent(key, body);
      fails("after");
      return outcome;
    },
    async delete(key) {
      fails("before");
      await store.delete(key);
      fails("after");
    },
    async getRange(key, offset, length) {
      fails("read");
      return store.getRange(key, offset, length);
    },
  };
  return state;
}

type Sequence = (acts: readonly Act[], now: (what: string) => void) => Promise<void>;

/** So that a sequence that fails or hangs is told with its seed, and not hidden behind the time limit of the test. */
function boundedInTime(): (sequence: Sequence) => (acts: readonly Act[]) => Promise<void> {
  let until = Number.POSITIVE_INFINITY;
  return (sequence) => async (acts) => {
    if (Date.now() > until) return;
    let at = "";
    let timer: NodeJS.Timeout | undefined;
    const hangs = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no end after ${HANGS_MS} ms: ${at}`)), HANGS_MS);
    });
    try {
      await Promise.race([sequence(acts, (what) => void (at = what)), hangs]);
    } catch (error) {
      until = Math.min(until, Date.now() + SHRINK_MS);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

test(
  "whatever is sent, in whatever order, with crashes: the envelopes hold exactly the acknowledged spans, once",
  { timeout: 60_000 + numRuns * 10_000 + HANGS_MS + SHRINK_MS },
  async () => {
    const all = spansToSend();
    let crashes = 0;
    const bounded = boundedInTime();
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 3, maxLength: 14 }),
        bounded(async (acts: readonly Act[], now) => {
          const trouble = troubled(createMemoryStore());
          now("open");
          // both ways of sealing have to give the same
          const bench = await openWorkbench({ store: trouble.store, largeBytes: acts.length % 2 === 0 ? 0 : Infinity });
          const sent = new Map<number, number>();
          try {
            for (const [n, each] of acts.entries()) {
              now(`${each.do}, act ${n}`);
              if (each.do === "send") {
                const picked = each.spans.map((n) => n % all.length);
                await bench.send(picked.map((n) => all[n]!.span));
                for (const n of picked) sent.set(n, (sent.get(n) ?? 0) + 1);
              } else if (each.do === "pass") await bench.pass(each.ms);
              else if (each.do === "trouble") trouble.next = each.kind;
              else if (each.do === "prune") {
                const pruned = bench.sealing.prune(true);
                if (each.crash) await bench.crash();
                // the catalog may be closed by then
                await pruned.catch(() => {});
              } else {
                await bench.crash();
                crashes++;
              }
            }
            trouble.next = null;
            // Every run is idle, then what became of it is, too.
            now("pass, at the end");
            for (let n = 0; n < 3; n++) await bench.pass(600_000);
            now("prune, at the end");
            await bench.sealing.prune(true);
            now("compare");
            expect(bench.assembler.counts()).toEqual({ open: 0, sealing: 0, spans: 0 });

            const stored = new Map<string, string[]>();
            const { rows } = await bench.catalog.find({ filter: { is: "all", of: [] } }, { limit: 100 });
            for (const row of rows) {
              const envelope = await bench.envelope(row.run);
              stored.set(
                row.run,
                (envelope?.spans ?? []).map(({ scanned }) => Buffer.from(scanned.span).toString("hex")),
              );
            }
            let once = 0;
            for (const [n, times] of sent) {
              const { span, owners } = all[n]!;
              const bytes = Buffer.from(span.bytes).toString("hex");
              const found = owners.flatMap((owner) => (stored.get(owner) ?? []).filter((each) => each === bytes));
              // Context that is sent again after its trace was sealed alone may go to a run that has come since, too.
              const most = owners.length === 1 ? 1 : times;
              expect(found.length, `span ${n}`).toBeGreaterThanOrEqual(1);
              expect(found.length, `span ${n}`).toBeLessThanOrEqual(most);
              once += found.length;
            }
            const count = [...stored.values()].reduce((sum, spans) => sum + spans.length, 0);
            expect(count).toBe(once);

            // The catalog's rows are those that the packs give.
            const newest = new Map<string, number>();
            for await (const key of packKeys(bench.store)) {
              for await (const run of sealedRunsOf(bench.store, key)) {
                newest.set(run.header.run, Math.max(newest.get(run.header.run) ?? -1, run.header.revision));
              }
            }
            expect(new Map(rows.map(({ run, revision }) => [run, revision]))).toEqual(newest);
          } finally {
            now("close");
            await bench.close();
          }
        }),
      ),
      { numRuns },
    );
    process.stderr.write(`oracle: ${numRuns} sequences, ${crashes} crashes\n`);
  },
);
