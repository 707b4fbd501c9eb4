import { expect, test } from "vitest";
import { edits } from "./edits.ts";
import { bin, launch } from "./reenact.ts";

const { edited } = edits();

/** Four calls of a model and one of a tool, which is step 3. */
const BEFORE = `
const said = [];
said.push(await call("one"));
said.push(await call("two"));
said.push(await save("note"));
said.push(await call("four"));
console.log(JSON.stringify(said));
`;

test("a difference before the step counts for nothing, and is told", async () => {
  const after = BEFORE.replace('"one"', '"uno"').replace('"two"', '"dos"');
  const { code, report } = await edited(BEFORE, after, ["--from", "3"]);
  expect(report).toMatchObject({
    verdict: "identical from step 3",
    comparedFrom: 3,
    divergence: null,
    recorded: 4,
    live: 0,
  });
  expect(code).toBe(0);
  expect(report.calls.map(({ verdict }) => verdict)).toEqual(["changed", "changed", "exact", "exact"]);
  expect(report.notes[0]).toMatch(
    /^steps 1 to 2 were served and not compared \(--from 3\): 2 differences there count for nothing, the first one: step 1: request 1 \(openai\.chat\) differs at \/messages\/0\/content$/,
  );
});

test("an unchanged program is identical from the step on only, as its beginning was not compared", async () => {
  const { report } = await edited(BEFORE, BEFORE, ["--from", "2"]);
  expect(report.verdict).toBe("identical from step 2");
  expect(report.notes[0]).toBe("step 1 was served and not compared (--from 2): nothing differs there");
});

test("from the first step on is the whole run", async () => {
  const { report } = await edited(BEFORE, BEFORE, ["--from", "1"]);
  expect(report).toMatchObject({ verdict: "identical", divergence: null });
  expect(report.comparedFrom).toBeUndefined();
});

test("the first difference behind it is the divergence, and strict stops there", async () => {
  const after = BEFORE.replace('"one"', '"uno"').replace('"note"', '"other note"');
  const { code, report } = await edited(BEFORE, after, ["--from", "2", "--mode", "strict"]);
  expect(code).toBe(10);
  expect(report).toMatchObject({ verdict: "diverged", divergence: { step: 3, verdict: "changed" } });
  expect(report.stopped?.reason).toBe("strict");
  expect(report.calls).toHaveLength(3);
});

test("a call left out, and readings of clock and random source before it, count for nothing", async () => {
  const after = BEFORE.replace('said.push(await call("two"));', "said.push(said[0]); await sleep(3); Math.random();");
  const { report } = await edited(BEFORE, after, ["--from", "3"]);
  expect(report).toMatchObject({ verdict: "identical from step 3", divergence: null, missing: 1 });
  expect(report.notes[0]).toContain("--from 3");
  expect(report.notes.join()).toContain("since steps before the compared ones differ");
});

/** Step 2 starts together with steps 3 and 4; steps 5 and 6 come behind them. */
const AT_ONCE = `
const said = [await call("one")];
said.push(...(await Promise.all([call("two"), save("a"), save("b")])));
said.push(await call("five"), await save("last"));
console.log(said.length > 2);
`;

test("what differs behind a call that was left out before it is a divergence", async () => {
  const after = AT_ONCE.replace('call("two"), ', "").replace('"last"', '"other"');
  const { code, report } = await edited(AT_ONCE, after, ["--from", "3"]);
  expect(code).toBe(10);
  expect(report).toMatchObject({ verdict: "diverged", divergence: { step: 6, verdict: "changed" } });
  expect(report.notes.join()).toContain("not compared behind what was left out: readings of the clock");
});

test.each([
  ["a call that has no answer in the record", 'await call("more");\nconst said = [];', "extra"],
  ["an error", "const said = []; throw new Error('no');", "error"],
  ["an effect that is refused", "const said = []; await fetch('http://127.0.0.1:1/').catch(() => {});", "extra"],
])("%s counts wherever it comes", async (_, start, verdict) => {
  const { code, report } = await edited(BEFORE, BEFORE.replace("const said = [];", start), ["--from", "4"]);
  expect(code).toBe(10);
  expect(report).toMatchObject({ verdict: "diverged", divergence: { verdict } });
});

test("what the run leaves behind is compared as a whole", async () => {
  const after = BEFORE.replace('"one"', '"uno"').replace("JSON.stringify(said)", '"nothing"');
  const { report } = await edited(BEFORE, after, ["--from", "3"]);
  expect(report).toMatchObject({ verdict: "diverged", divergence: { step: null, verdict: "output-changed" } });
});

test.each([
  ["0", "Steps are counted from 1."],
  ["-2", "Steps are counted from 1."],
])("--from %s is no step", async (step, says) => {
  const { code, stderr } = await launch([
    process.execPath,
    bin,
    "replay",
    "@last",
    `--from=${step}`,
    "--",
    "node",
    "x",
  ]);
  expect(code).toBe(3);
  expect(stderr).toContain(says);
});
