import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";
import { launch, Store } from "./reenact.ts";
import type { Rule } from "./rule.ts";
import { RULES } from "./rules.ts";
import { difference, tryOut } from "./trial.ts";
import { Workshop } from "./workshop.ts";

const logs = mkdtempSync(join(tmpdir(), "rules-"));
let provider: ChildProvider;
/** The packages as they are, without an edit. */
let plain: Workshop;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
  plain = await Workshop.make([]);
});

afterAll(async () => {
  plain.remove();
  await provider.stop();
  rmSync(logs, { recursive: true, force: true });
});

/** What is wrong after the first of so many tries in which anything is; null if nothing ever is. */
async function trouble({ trial, wrong }: Rule, workshop: Workshop, tries: number): Promise<string | null> {
  const store = new Store(workshop.bin);
  try {
    for (let i = 0; i < tries; i++) {
      const { recorded, replayed } = await tryOut(store, {
        timeoutMs: 20_000,
        ...trial,
        programs: workshop.programs,
        env: { PROVIDER_URL: provider.url },
      });
      const found = (wrong ?? difference)(recorded, replayed);
      if (found !== null) return found;
    }
    return null;
  } finally {
    store.remove();
  }
}

/** The small scale takes a rule of each side: recording, ambient, replay. CI's takes every second one, by its seed. */
const side = Number(process.env["TEST_SEED"] ?? 0) % 2;
const chosen = RULES.filter(({ rule }) => scale([2, 8, 17].includes(rule), rule % 2 === side, true));

describe.each(chosen)("rule $rule: $says", { timeout: 180_000 }, (rule) => {
  test("its program fails when the rule is taken out", async () => {
    const workshop = await Workshop.make(rule.edits);
    // an edit that does not even load shows nothing
    const idle = [process.execPath, "-e", "console.log('as always')"];
    const loaded = await launch([process.execPath, workshop.bin, "run", "--quiet", "--store", logs, "--", ...idle]);
    expect(loaded).toMatchObject({ code: 0, stdout: "as always\n", stderr: "" });
    // a broken recorder may fail in any way, also before it has recorded anything
    const found = await trouble(rule, workshop, 5).catch((error: Error) => error.message);
    workshop.remove();
    expect(found).not.toBeNull();
  });

  test("and passes with it in", async () => {
    expect(await trouble(rule, plain, 1)).toBeNull();
  });
});
