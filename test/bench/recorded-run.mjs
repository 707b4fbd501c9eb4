import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sealSpool } from "@reenact/node/seal";

/** Records `turns.mjs` into a store of its own. `traffic`: bytes of all bodies as they were on the wire. */
export function recordTurns(turns, history) {
  const store = mkdtempSync(join(tmpdir(), "reenact-bench-"));
  const program = [fileURLToPath(new URL("turns.mjs", import.meta.url)), String(turns), history];
  const provider = new URL("memory-provider.mjs", import.meta.url).href;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", provider, "--import", import.meta.resolve("@reenact/node/register"), ...program],
    { encoding: "utf8", env: { ...process.env, REENACT_STORE: store, BENCH_TRAFFIC: "1" } },
  );
  if (status !== 0) throw new Error(`the recorded program ended with ${status}: ${stderr}`);
  sealSpool(store);
  const [file] = readdirSync(join(store, "runs"));
  return {
    store,
    file: join(store, "runs", file),
    program,
    traffic: Number(stderr),
    forget: () => rmSync(store, { recursive: true, force: true }),
  };
}
