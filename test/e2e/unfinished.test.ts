import { describe, expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();

describe("an edit of what the program waits for", () => {
  const cases: { name: string; before: string; after: string; step: number | null; says: RegExp }[] = [
    {
      name: "for its last tool, and exits",
      before: `await call("a"); await save(1); process.exit(0);`,
      after: `await call("a"); save(1); process.exit(0);`,
      step: 2,
      says: /the result of tool:save \(step 2\) was received in the recorded run; this run ends without waiting for it/,
    },
    {
      name: "for its last call, and exits",
      before: `await call("a"); await call("b"); process.exit(0);`,
      after: `await call("a"); call("b"); process.exit(0);`,
      step: 2,
      says: /the answer of .* \(step 2\) was received in the recorded run; this run ends without waiting/,
    },
    {
      name: "for the body of its last answer",
      before: `await call("a"); await (await ask("b")).json();`,
      after: `await call("a"); await ask("b");`,
      step: 2,
      says: /the body of .* \(step 2\) was read/,
    },
    {
      name: "for the body of an answer before others",
      before: `await (await ask("b")).json(); await call("a");`,
      after: `await ask("b"); await call("a");`,
      step: 1,
      says: /the body of .* \(step 1\) was read/,
    },
    {
      name: "for the rest of a stream",
      before: `const r = await ask("s", { model: "scn-stream-slow", stream: true }); for await (const c of r.body) {}`,
      after: `const r = await ask("s", { model: "scn-stream-slow", stream: true }); for await (const c of r.body) break;`,
      step: 1,
      says: /part 2 of the body of .* \(step 1\) was read in the recorded run; this run does not read that far/,
    },
    {
      name: "for a timer at its end",
      before: `await call("a"); await sleep(30);`,
      after: `await call("a");`,
      step: null,
      says: /a timer fired after .* \(step 1\) in the recorded run; this run never sets it/,
    },
    {
      name: "for the tool of an agent() that returns",
      before: `await agent("a", async () => { await call("a"); await save(1); return 1; })();`,
      after: `await agent("a", async () => { await call("a"); save(1); return 1; })();`,
      step: 2,
      says: /the result of tool:save \(step 2\) was received in the recorded run; this run ends without waiting for it/,
    },
    {
      name: "for the body of an answer within a tool",
      before: `const t = tool("t", async () => { const r = await ask("b"); await r.text(); return 1; }); await t(); await call("z");`,
      after: `const t = tool("t", async () => { const r = await ask("b"); return 1; }); await t(); await call("z");`,
      step: 2,
      says: /the body of .* \(step 2\) was read/,
    },
    {
      name: "for a timer within a tool",
      before: `const t = tool("t", async () => { await call("b"); await sleep(20); return 1; }); await t(); await call("z");`,
      after: `const t = tool("t", async () => { await call("b"); return 1; }); await t(); await call("z");`,
      step: null,
      says: /a timer fired/,
    },
    {
      name: "for the first of two calls that it makes at once",
      before: `await call("z"); await Promise.all([call("slow [[sleep=200]]"), call("b")]); process.exit(0);`,
      after: `await call("z"); const a = call("slow [[sleep=200]]"); await call("b"); process.exit(0);`,
      step: 2,
      says: /the answer of .* \(step 2\) was received in the recorded run; this run ends without waiting for it/,
    },
  ];
  const more: typeof cases = [
    {
      name: "a tool that it had not waited for",
      before: `await call("a"); save(1); process.exit(0);`,
      after: `await call("a"); await save(1); process.exit(0);`,
      step: null,
      says: /the recorded run ended here; the agent is idle and waits for the result of tool:save \(step 2\)/,
    },
    {
      name: "the rest of a stream that it had left",
      before: `const r = await ask("s", { model: "scn-stream-slow", stream: true }); for await (const c of r.body) break;`,
      after: `const r = await ask("s", { model: "scn-stream-slow", stream: true }); for await (const c of r.body) {}`,
      step: 1,
      says: /the recorded run left the body of .* \(step 1\) unread from here on; this run reads on/,
    },
    {
      name: "the rest of a stream that it had left, before another call",
      before: `const r = await ask("s", { model: "scn-stream-slow", stream: true }); for await (const c of r.body) break; await call("b");`,
      after: `const r = await ask("s", { model: "scn-stream-slow", stream: true }); for await (const c of r.body) {} await call("b");`,
      step: 1,
      says: /the recorded run left the body of .* \(step 1\) unread from here on; this run reads on/,
    },
    {
      name: "a timer that it had not waited for",
      before: `await call("a");`,
      after: `await call("a"); await sleep(30);`,
      step: null,
      says: /setTimeout at .* asks for 30 ms where the recorded run set no such timer, after the last step/,
    },
  ];
  for (const { name, before, after, step, says } of more) {
    test(`waits for ${name}`, async () => {
      const { code, report } = await edited(before, after);
      expect(report).toMatchObject({ verdict: "diverged", divergence: { step } });
      expect(report.divergence?.cause).toMatch(says);
      expect(code).toBe(10);
    });
  }
  test("ends itself with a signal, where it had ended with an exit code", async () => {
    const { code, report } = await edited(
      `await call("a"); await sleep(10);`,
      `await call("a"); process.kill(process.pid, "SIGTERM"); await sleep(10);`,
    );
    expect(report).toMatchObject({ verdict: "diverged", divergence: { verdict: "exit-code-changed", now: "SIGTERM" } });
    expect(code).toBe(10);
  });

  for (const { name, before, after, step, says } of cases) {
    test(`no longer waits ${name}`, async () => {
      const { code, report } = await edited(before, after);
      expect(report).toMatchObject({ verdict: "diverged", divergence: { step, verdict: "unfinished" } });
      expect(report.divergence?.cause).toMatch(says);
      expect(code).toBe(10);
    });
  }
});
