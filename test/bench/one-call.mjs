import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, p90 } from "./statistics.mjs";

const PROVIDER = ["--import", new URL("memory-provider.mjs", import.meta.url).href];
const PROGRAM = [fileURLToPath(new URL("turns.mjs", import.meta.url)), "1", "alone"];

/**
 * A program with one call of the real SDK, from start to end: `{ plain, added, p90 }` in ms. `added` is the median of
 * what recording takes more, pair by pair, `p90` the nine in ten of it. Each recorded run ends with its process; a
 * command seals it later.
 */
export function oneCall(times) {
  const store = mkdtempSync(join(tmpdir(), "reenact-bench-"));
  const recorder = ["--import", import.meta.resolve("@reenact/node/register")];
  const took = { plain: [], added: [] };
  try {
    run(PROVIDER, store);
    run([...PROVIDER, ...recorder], store);
    for (let i = 0; i < times; i++) {
      const pair = i % 2 === 0 ? [PROVIDER, [...PROVIDER, ...recorder]] : [[...PROVIDER, ...recorder], PROVIDER];
      const [first, second] = pair.map((flags) => run(flags, store));
      const [plain, recorded] = i % 2 === 0 ? [first, second] : [second, first];
      took.plain.push(plain);
      took.added.push(recorded - plain);
    }
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
  return { plain: median(took.plain), added: median(took.added), p90: p90(took.added) };
}

function run(flags, store) {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...flags, ...PROGRAM], {
    encoding: "utf8",
    env: { ...process.env, REENACT_STORE: store },
  });
  if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`);
  return performance.now() - from;
}
