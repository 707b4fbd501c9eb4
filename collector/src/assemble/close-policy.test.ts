import fc from "fast-check";
import { expect, test } from "vitest";
import { type CloseLimits, decideClose, type RunFacts } from "./close-policy.ts";

const limits: CloseLimits = { settleMs: 5_000, idleMs: 600_000, ageMs: 86_400_000 };

const facts = fc
  .record({
    first: fc.nat(100_000_000),
    open: fc.nat(90_000_000),
    rootEnded: fc.boolean(),
    complete: fc.boolean(),
    awaitsContext: fc.boolean(),
    connected: fc.boolean(),
    pressed: fc.boolean(),
  })
  .map(({ open, ...run }): RunFacts => ({ ...run, last: run.first + open }));
const wait = fc.oneof(fc.nat(10_000), fc.nat(700_000), fc.nat(100_000_000));

test("a look is in the future, and following the looks seals every run in two steps at most", () => {
  fc.assert(
    fc.property(facts, wait, (run, after) => {
      let now = run.last + after;
      for (let steps = 0; ; steps++) {
        const decision = decideClose(run, now, limits);
        if ("seal" in decision) return;
        expect(steps).toBeLessThan(2);
        expect(decision.look).toBeGreaterThan(now);
        now = decision.look;
      }
    }),
    { numRuns: 2_000 },
  );
});

test("no run is sealed without a reason that holds, and none is left past its idle time", () => {
  fc.assert(
    fc.property(facts, wait, (run, after) => {
      const now = run.last + after;
      const decision = decideClose(run, now, limits);
      if (!("seal" in decision)) {
        expect(after).toBeLessThan(limits.idleMs);
        expect(now - run.first).toBeLessThan(limits.ageMs);
        expect(run.complete && (!run.awaitsContext || after >= limits.settleMs)).toBe(false);
        return;
      }
      const holds: Record<typeof decision.seal, boolean> = {
        complete: run.complete && (!run.awaitsContext || after >= limits.settleMs),
        ended: run.rootEnded && run.connected && after >= limits.settleMs,
        idle: after >= limits.idleMs,
        age: now - run.first >= limits.ageMs,
        pressed: run.pressed,
      };
      expect(holds[decision.seal], decision.seal).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each<[string, Partial<RunFacts>, number, object]>([
  ["complete: now", { complete: true, rootEnded: true }, 0, { seal: "complete" }],
  [
    "complete below a span of others: settles",
    { complete: true, rootEnded: true, awaitsContext: true },
    4_999,
    { look: 15_000 },
  ],
  ["and is sealed then", { complete: true, rootEnded: true, awaitsContext: true }, 5_000, { seal: "complete" }],
  ["ended and connected", { rootEnded: true, connected: true }, 5_000, { seal: "ended" }],
  ["ended with a gap: waits", { rootEnded: true }, 5_000, { look: 610_000 }],
  ["quiet for long", {}, 600_000, { seal: "idle" }],
  ["still coming", {}, 10, { look: 610_000 }],
  ["the journal is too long", { pressed: true }, 10, { seal: "pressed" }],
])("%s", (_, run, after, expected) => {
  const base: RunFacts = {
    first: 0,
    last: 1e4,
    rootEnded: false,
    complete: false,
    awaitsContext: false,
    connected: false,
    pressed: false,
  };
  expect(decideClose({ ...base, ...run }, 10_000 + after, limits)).toEqual(expected);
});
