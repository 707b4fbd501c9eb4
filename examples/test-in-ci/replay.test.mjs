// Replays each recorded run in `runs`: no key, no network. Fails where the agent now does something else.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const folder = join(import.meta.dirname, "runs");

for (const file of readdirSync(folder).filter((name) => name.endsWith(".reenact"))) {
  void test(`${file} replays`, () => {
    const args = ["reenact", "replay", join(folder, file), "--", "node", "agent.mjs"];
    const { status, stderr } = spawnSync("npx", args, { cwd: import.meta.dirname, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });
}
