import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const reenact = join(import.meta.dirname, "../../packages/node/dist/index.js");
const PROGRAM = `
import reenact from ${JSON.stringify(reenact)};
class Desk { open = true; #secret = 1; }
const walk = reenact.tool("walk", async (list, each) => list.map(each).length);
const answer = reenact.agent("answer", async (desk, topic, { depth }) => {
  await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] }),
  }).then((r) => r.text());
  return walk([1, 2], (x) => x + 1);
});
await answer(new Desk(), "cats", { depth: 1, notify: () => {} });
`;

async function replayed(edit: readonly [string, string]) {
  const file = join(bench.folder, "agent.mjs");
  writeFileSync(file, PROGRAM);
  const command = [process.execPath, file];
  const options = { cwd: bench.folder, env: { PROVIDER_URL: bench.provider.url } };
  const { summary } = await bench.store.run(command, options);
  writeFileSync(file, PROGRAM.replace(...edit));
  return (await bench.store.replay(summary.run ?? "", command, options)).report;
}

test("the rest of an agent's arguments is compared where one of them cannot be recorded whole", async () => {
  const verdict = "input-changed";
  for (const [edit, recorded, now] of [
    [[`"cats"`, `"dogs"`], "cats", "dogs"],
    [["depth: 1", "depth: 2"], 1, 2],
  ] as const)
    expect(await replayed(edit)).toMatchObject({ verdict: "diverged", divergence: { verdict, recorded, now } });
  expect(await replayed(["new Desk()", `new (class Shop { open = true; })()`])).toMatchObject({
    divergence: { verdict },
  });
});

test("a report names what it does not compare of arguments", async () => {
  const report = await replayed(["", ""]);
  expect(report.verdict).toBe("identical");
  expect(report.notes).toContain("not compared in the arguments of tool:walk: function at [1]");
  expect(report.notes).toContain(
    "not compared in the arguments of agent answer: Desk at [0], function notify at [2].notify",
  );
});
