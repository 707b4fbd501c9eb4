import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { edits } from "./edits.ts";

const { edited } = edits();
const folder = mkdtempSync(join(tmpdir(), "first-causes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const get = (path: string) => `await (await fetch(base + "/json/${path}")).text();`;

test("files are compared where a thread has ended before", async () => {
  const thread = join(import.meta.dirname, "../programs/ended-thread.mjs");
  const before = `const { Worker } = await import("node:worker_threads"); const { writeFileSync } = await import("node:fs");
await call("a");
await new Promise((resolve) => new Worker(${JSON.stringify(thread)}).on("exit", resolve));
writeFileSync(${JSON.stringify(join(folder, "note.txt"))}, "A");`;
  const { report } = await edited(before, before.replace(`"A"`, `"B"`));
  expect(report.divergence).toMatchObject({ verdict: "files-changed", cause: expect.stringContaining("note.txt") });
});

test("a plain request more is told as one more, with the step before which it came", async () => {
  const before = `await call("a"); ${get("one")} ${get("two")} await call("b");`;
  const { report } = await edited(before, before.replace(get("one"), get("zero") + get("one")));
  expect(report.divergence).toMatchObject({ step: 2, verdict: "extra" });
});

test("a plain request less does not shift the answers of the others", async () => {
  const before = `await call("a"); ${get("one")} ${get("two")} ${get("three")} await call("b");`;
  const { report } = await edited(before, before.replace(get("one"), ""));
  expect(report.divergence).toMatchObject({ step: 2, verdict: "missing" });
  expect(report.calls.filter(({ verdict }) => verdict === "changed")).toEqual([]);
});

test.each([
  ["a refused effect", "leak", `(await import("node:net")).connect(9, "127.0.0.1");`, "socket"],
  [
    "a child that was not recorded",
    "extra",
    `(await import("node:child_process")).spawnSync("touch", ["x"]);`,
    "touch",
  ],
])("%s that ends the program is the cause", async (_, verdict, effect, named) => {
  const before = `await call("a"); await sleep(10); await call("b");`;
  const { report } = await edited(before, before.replace("await sleep", `${effect} await sleep`));
  expect(report.divergence).toMatchObject({ verdict, cause: expect.stringContaining(named) });
});

test("a body that the recorded run did not read is no empty body", async () => {
  const before = `await call("a"); const unread = await ask("b"); await call("c");`;
  const after = before.replace(
    `await ask("b");`,
    `await ask("b"); console.log(await unread.text().catch(({ code }) => code));`,
  );
  const { report, stdout } = await edited(before, after);
  expect(report.divergence).toMatchObject({
    step: 2,
    cause: expect.stringMatching(/left the body of \S+ \(step 2\) unread/),
  });
  expect(stdout).toContain("REEN-MISS");
});

test("a served function whose source is another is told for every run of the process", async () => {
  const before = `const one = tool("one", () => 1);
await agent("first", async () => { await call("a"); return one(); })(); await agent("second", async () => call("b"))();`;
  const { report } = await edited(before, before.replace("() => 1", "() => 2"));
  expect(report.findings).toContain("source-changed");
  expect(report.changedTools).toEqual(["one"]);
});

test("a server whose agent has another name ends the replay by itself", async () => {
  const before = `const desk = agent("support", async () => call("a"));
const server = http.createServer(async (_, answer) => { await desk().catch(() => {}); answer.end("ok"); });
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address(); await (await fetch("http://127.0.0.1:" + port)).text();
if (process.env.REENACT_MODE !== "replay") server.close();`;
  const { report } = await edited(before, before.replace(`"support"`, `"helpdesk"`));
  expect(report.divergence?.verdict).toMatch(/missing|extra/);
});

test("calls that have changed places are told as such", async () => {
  const before = `const look = tool("look", async ({ id }) => id * 2); await call("a");
for (const id of [1, 2, 3]) await look({ id }); await call("b");`;
  const { report } = await edited(before, before.replace("[1, 2, 3]", "[3, 2, 1]"));
  // the call that came first is the one that was recorded last
  expect(report.divergence).toMatchObject({ step: 4, verdict: "reordered" });
});

test("a tool that takes the place of another one is told where the other one was due", async () => {
  const before = `const weather = tool("weather", async ({ city }) => city); const notify = tool("notify", async ({ to }) => to);
await call("a"); await weather({ city: "Bern" }); await notify({ to: "ida" }); await call("b");`;
  const after = before
    .replace("await weather({ city", "await notify({ city")
    .replace("await notify({ to", "await weather({ to");
  const { report } = await edited(before, after);
  expect(report.divergence).toMatchObject({ step: 2, verdict: "wrong-tool" });
});

test("a link that the recorded run made is not there when its replay begins", async () => {
  const link = JSON.stringify(join(folder, "link"));
  const before = `const { symlinkSync } = await import("node:fs"); await call("a"); symlinkSync("nowhere", ${link});`;
  const { report } = await edited(before, before.replace(`"nowhere"`, `"elsewhere"`));
  expect(report.divergence?.verdict).toBe("files-changed");
});
