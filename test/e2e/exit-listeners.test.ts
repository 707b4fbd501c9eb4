import { describe, expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();

describe("what exit listeners do", () => {
  const ends = { "process.exit()": "process.exit(0);", "a natural end": "" };
  for (const [how, end] of Object.entries(ends)) {
    test(`after ${how} is compared: their output`, async () => {
      const before = `process.on("exit", () => console.log("bye")); await call("a"); ${end}`;
      const { code, report } = await edited(before, before.replace("bye", "good bye"));
      expect(report.divergence).toMatchObject({ verdict: "output-changed", recorded: "bye", now: "good bye" });
      expect(code).toBe(10);
    });

    test(`after ${how} is compared: the exit code that they set`, async () => {
      const before = `process.on("exit", () => { process.exitCode = 3; }); await call("a"); ${end}`;
      const { report } = await edited(before, before.replace("= 3", "= 4"));
      expect(report.divergence).toMatchObject({ verdict: "exit-code-changed", recorded: 3, now: 4 });
    });
  }

  test("is compared where a listener throws", async () => {
    const before = `process.on("exit", () => { throw new Error("a bug"); }); await call("a"); process.exit(2);`;
    const { report } = await edited(before, before.replace("exit(2)", "exit(5)"));
    expect(report.divergence?.verdict).toMatch(/exit-code-changed|error/);
  });
});

describe("a stack trace that the program prints", () => {
  const before = `await call("a"); const fail = () => { throw new Error("no seat"); };
try { fail(); } catch (error) { console.log(error.stack); console.error(JSON.stringify({ stack: error.stack })); }`;

  test("has other positions below a new comment, which is noted", async () => {
    const { code, report } = await edited(before, `// a comment\n\n${before}`);
    expect(report).toMatchObject({ verdict: "identical", divergence: null });
    expect(report.notes).toEqual([
      "standard output differs only in positions or folders of printed stack traces",
      "standard error differs only in positions or folders of printed stack traces",
    ]);
    expect(code).toBe(0);
  });

  test("has another frame or another message, which is a divergence", async () => {
    for (const after of [before.replaceAll("fail", "refuse"), before.replace("no seat", "no room")]) {
      const { report } = await edited(before, after);
      expect(report.divergence?.verdict).toBe("output-changed");
    }
  });

  test("positions that are no frames are compared", async () => {
    const line = `await call("a"); console.log("lint: src/a.ts:10:5 unused");`;
    const { report } = await edited(line, line.replace(":10:5", ":12:5"));
    expect(report.divergence?.verdict).toBe("output-changed");
  });
});
