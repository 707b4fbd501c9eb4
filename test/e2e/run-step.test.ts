import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();

/** A program whose step() computes what it asks the model. */
const program = (body: string): string => `import { step } from "@reenact/node";
const question = await step("prep", async () => { ${body} });
const answer = await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content: question }] }) });
console.log(await answer.text());`;

test("a step() whose body is another is named, and runs where that is asked for", async () => {
  const file = join(import.meta.dirname, `../programs/run-step-${process.pid}.mjs`);
  const command = [process.execPath, file];
  const env = { PROVIDER_URL: bench.provider.url };
  try {
    writeFileSync(file, program(`return "a";`));
    const { summary } = await bench.store.run(command, { env });
    const run = summary.run ?? "";
    const unchanged = await bench.store.replay(run, command, { env, flags: ["--run-tool", "prep"] });
    expect(unchanged.report).toMatchObject({ verdict: "identical", edited: 1 });

    writeFileSync(file, program(`return "b";`));
    const served = await bench.store.replay(run, command, { env });
    expect(served.report).toMatchObject({ verdict: "identical", changedTools: ["prep"] });
    expect(served.report.findings).toContain("source-changed");
    const ran = await bench.store.replay(run, command, { env, flags: ["--run-tool", "prep"] });
    expect(ran.report).toMatchObject({ verdict: "diverged", divergence: { step: 2, verdict: "changed" } });
    expect(ran.report.divergence?.cause).toContain("because step() prep (step 1) returned b (recorded: returned a)");
  } finally {
    rmSync(file, { force: true });
  }
});
