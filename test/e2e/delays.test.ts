import { describe, expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();

describe("a delay or time-out that is asked for differently", () => {
  const cases: { name: string; before: string; after: string; step: number | null; says: RegExp }[] = [
    {
      name: "setTimeout from node:timers/promises",
      before: `await call("a"); await sleep(20); await call("b");`,
      after: `await call("a"); await sleep(50); await call("b");`,
      step: 2,
      says: /^setTimeout at .*\.mjs:\d+:\d+ asks for 50 ms where the recorded run asked for 20 ms, before step 2 \(/,
    },
    {
      name: "a back-off that grows",
      before: `for (const n of [0, 1, 2]) { await call("a" + n); await new Promise((r) => setTimeout(r, 10)); }`,
      after: `for (const n of [0, 1, 2]) { await call("a" + n); await new Promise((r) => setTimeout(r, 10 * 2 ** n)); }`,
      step: 3,
      says: /^setTimeout at .* asks for 20 ms where the recorded run asked for 10 ms, before step 3/,
    },
    {
      name: "AbortSignal.timeout",
      before: `await call("z"); const r = await ask("a", {}, { signal: AbortSignal.timeout(9000) }); await r.text();`,
      after: `await call("z"); const r = await ask("a", {}, { signal: AbortSignal.timeout(400) }); await r.text();`,
      step: 2,
      says: /^AbortSignal.timeout at .* asks for 400 ms where the recorded run asked for 9000 ms, before step 2/,
    },
    {
      name: "an AbortSignal.timeout that was not there",
      before: `const r = await ask("a"); await r.text();`,
      after: `const r = await ask("a", {}, { signal: AbortSignal.timeout(400) }); await r.text();`,
      step: 1,
      says: /^AbortSignal.timeout at .* asks for 400 ms where the recorded run set no such timer, before step 1/,
    },
    {
      name: "an AbortSignal.timeout that is gone",
      before: `await call("z"); const r = await ask("a", {}, { signal: AbortSignal.timeout(9000) }); await r.text();`,
      after: `await call("z"); const r = await ask("a"); await r.text();`,
      step: null,
      says: /^the recorded run set a timer or time-out of 9000 ms after .* \(step 1\); this run sets none/,
    },
    {
      name: "an interval",
      before: `const i = setInterval(() => {}, 1000); await call("a"); clearInterval(i);`,
      after: `const i = setInterval(() => {}, 2000); await call("a"); clearInterval(i);`,
      step: 1,
      says: /^setInterval at .* asks for 2000 ms where the recorded run asked for 1000 ms/,
    },
    {
      name: "a sleep between two calls that was not there",
      before: `await call("a"); await call("b"); await call("c");`,
      after: `await call("a"); await sleep(50); await call("b"); await call("c");`,
      step: 2,
      says: /^setTimeout at .* asks for 50 ms where the recorded run set no such timer, before step 2/,
    },
    {
      name: "the delay of another timer that is set with it",
      before: `await Promise.all([sleep(20).then(() => call("a")), sleep(60).then(() => call("b"))]);`,
      after: `await Promise.all([sleep(60).then(() => call("a")), sleep(60).then(() => call("b"))]);`,
      step: 1,
      says: /^setTimeout at .* asks for 60 ms where the recorded run asked for 20 ms, before step 1/,
    },
    {
      name: "the delay of the timer before it",
      before: `await Promise.all([sleep(20).then(() => call("a")), sleep(60).then(() => call("b"))]);`,
      after: `await Promise.all([sleep(20).then(() => call("a")), sleep(20).then(() => call("b"))]);`,
      step: 1,
      says: /^setTimeout at .* asks for 20 ms where the recorded run asked for 60 ms, before step 1/,
    },
    {
      name: "the delay of a timer that is set later",
      before: `await sleep(20); await call("a"); await sleep(60); await call("b");`,
      after: `await sleep(60); await call("a"); await sleep(60); await call("b");`,
      step: 1,
      says: /^setTimeout at .* asks for 60 ms where the recorded run asked for 20 ms, before step 1/,
    },
    {
      name: "the time-out of node:http",
      before: `await call("z"); await post("a", 8000);`,
      after: `await call("z"); await post("a", 700);`,
      step: 2,
      says: /^a connection's time-out.* asks for 700 ms where the recorded run asked for 8000 ms/,
    },
    {
      name: "the time-out of an SDK",
      before: `await sdk({ timeout: 20_000 }); await sdk({ timeout: 20_000 });`,
      after: `await sdk({ timeout: 20_000 }); await sdk({ timeout: 3_000 });`,
      step: 2,
      says: /setTimeout at .* \(called by package openai\) asks for 3000 ms where the recorded run asked for 20000 ms, before step 2/,
    },
  ];
  for (const { name, before, after, step, says } of cases) {
    test(name, async () => {
      const { code, report } = await edited(before, after);
      expect(report.divergence?.cause).toMatch(says);
      expect(report).toMatchObject({ verdict: "diverged", divergence: { step, verdict: "delay-changed" } });
      expect(code).toBe(10);
    });
  }

  test("a removed call is named, and not the timers that were set for it", async () => {
    const { report } = await edited(
      `await call("a"); await sdk({ timeout: 20_000 }); await sleep(20); await call("b");`,
      `await call("a"); await sleep(20); await call("b");`,
    );
    expect(report.divergence).toMatchObject({ step: 2, verdict: "missing" });
  });

  test("a replaced call is named, and not the timers that were set for it", async () => {
    const { report } = await edited(
      `await call("a"); await sleep(20); await call("b");`,
      `await call("a"); await sdk({ timeout: 20_000 }); await call("b");`,
    );
    expect(report.divergence?.verdict).not.toBe("delay-changed");
  });
});
