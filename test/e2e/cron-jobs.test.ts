import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";

const store = new Store();
afterAll(() => store.remove());

test.each(["node-cron", "croner"])(
  "a tick of %s that asks a model is a run, and fires again by the command",
  async (name) => {
    const program = join(import.meta.dirname, "../../packages/hooks/src/jobs", name, "fixtures/schedule.mjs");
    const command = [process.execPath, program];
    const provider = await startProvider();
    const env = { PROVIDER_URL: provider.url };
    const { summary, code, stderr } = await store.run(command, { env });
    await provider.stop();
    expect([code, stderr, summary.runs.length]).toEqual([0, "", 1]);
    const run = summary.runs[0] ?? "";
    const { trigger, name: shown, input } = readEnvelope(readFileSync(store.path(run))).facts as Record<string, string>;
    expect([trigger, shown]).toEqual(["job", "* * * * * *"]);
    expect(decodeValue(input ?? "")).toMatchObject({
      by: name,
      from: "* * * * * *",
      job: { date: expect.stringMatching(/^\d{4}-.*\dZ$/) as string },
    });
    const [same, changed] = await Promise.all([
      store.replay(run, command, { env }),
      store.replay(run, command, { env: { ...env, EDIT: "!" }, flags: ["--env", "EDIT"] }),
    ]);
    expect(same.report, same.stderr).toMatchObject({ verdict: "identical", socketsRefused: 0, recorded: 1 });
    expect(same.report.notes).toContain("the recorded job * * * * * * was delivered to the program");
    expect(changed.report.divergence).toMatchObject({ slot: "openai.chat|0", verdict: "changed" });
  },
);
