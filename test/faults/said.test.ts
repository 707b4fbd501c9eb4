import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { launch, Store } from "../e2e/reenact.ts";
import { CollectorProgram } from "./collector-program.ts";

const program = fileURLToPath(new URL("said-agent.mjs", import.meta.url));
const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));

async function killed(store: Store, env: Record<string, string>): Promise<void> {
  const ended = await launch([process.execPath, "--import", preload, program], {
    env: { ...env, REENACT_STORE: store.folder },
  });
  expect(ended.signal).toBe("SIGKILL");
  // the clock is put back by the 5 s for which a silent file is left alone
  const spool = join(store.folder, "spool");
  const then = new Date(Date.now() - 6000);
  for (const name of readdirSync(spool)) utimesSync(join(spool, name), then, then);
}

test("what an agent said of its run in the turn in which it was killed is in its local record", async () => {
  const store = new Store();
  await killed(store, {});
  const { runs } = JSON.parse((await store.command("ls", "--json")).stdout) as { runs: { run: string }[] };
  const { manifest, root } = readEnvelope(readFileSync(store.path(runs[0]?.run ?? "")));
  expect(manifest).toMatchObject({ status: "aborted", session: "desk-7", user: expect.stringMatching(/^EMAIL_/) });
  expect(manifest.flags).toEqual([expect.stringMatching(/^odd answer for EMAIL_\w+$/)]);
  expect(root?.attributes["tag.tags"]).toEqual(["vip", "second"]);
  const found = await store.command("ls", "--json", "--user", "alice@example.com");
  expect(JSON.parse(found.stdout)).toMatchObject({ runs: [{ run: runs[0]?.run }] });
  store.remove();
});

test("a collector's retention rules see it, and so do its searches", async () => {
  const folder = mkdtempSync(join(tmpdir(), "said-"));
  const rules = join(folder, "rules.yaml");
  writeFileSync(rules, "rules: [{ name: strange, class: keep, when: { flag: [odd answer*] } }]\n");
  const collector = new CollectorProgram(folder, { REENACT_COLLECTOR_RETENTION_RULES: rules });
  const store = new Store();
  try {
    await collector.start();
    await killed(store, { REENACT_ENDPOINT: collector.url });
    expect(await store.command("ship")).toMatchObject({ code: 0 });
    const query = "state:sealed tag:vip tag:second session:desk-7 flag:odd*";
    let runs: unknown[] = [];
    for (let n = 0; n < 100 && runs.length === 0; n++) {
      await sleep(50);
      const answer = await fetch(`${collector.url}/api/v1/runs?filter=${encodeURIComponent(query)}`);
      ({ runs } = (await answer.json()) as { runs: unknown[] });
    }
    expect(runs).toMatchObject([{ state: "sealed", status: "aborted", class: "keep", rule: "strange" }]);
  } finally {
    await collector.kill();
    store.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
