import { expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();

test("readings that are gone are one note, and no divergence", async () => {
  const { code, report } = await edited(
    `Math.random(); Math.random(); Date.now(); await call("a"); performance.now(); await call("b"); Date.now();`,
    `Math.random(); await call("a"); await call("b"); Date.now();`,
  );
  expect(report).toMatchObject({ verdict: "identical", divergence: null });
  expect(report.findings).toContain("noted-difference");
  expect(report.notes).toEqual([
    "readings that the recorded run made and this run did not: 1 of Math.random before step 1, 1 of the time before step 1, 1 of performance.now before step 2",
  ]);
  expect(code).toBe(0);
});

test("readings of the body of a served tool are not missed", async () => {
  const body = `const t = tool("t", async () => { Date.now(); Math.random(); return 1; }); await t(); await call("a");`;
  const { report } = await edited(body, body);
  expect(report).toMatchObject({ verdict: "identical", notes: [] });
});
