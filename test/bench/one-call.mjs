import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, p90 } from "./statistics.mjs";

const PROVIDER = ["--import", new URL("memory-provider.mjs", import.meta.url).href];
const PROGRAM = [fileURLToPath(new URL("turns.mjs", import.meta.url)), "1", "alone"];

/**
 * A program with one call of the real SDK, from start to end: `{ plain, added, p90, first }` in ms. `added` is the median
 * of what recording takes more, pair by pair, `p90` the nine in ten of it; `first` is the median where no compiled code
 * is kept and it is then written, as the first time on a machine. Each recorded run ends with its process; a command
 * seals it later.
 */
export function oneCall(times) {
  const store = mkdtempSync(join(tmpdir(), "reenact-bench-"));
  const recorder = ["--import", import.meta.resolve("@reenact/node/register")];
  const variants = [
    () => run(PROVIDER, store),
    () => run([...PROVIDER, ...recorder], store),
    () => run([...PROVIDER, ...recorder], store, { TMPDIR: mkdtempSync(join(store, "tmp-")) }),
  ];
  const took = variants.map(() => []);
  try {
    for (const variant of variants) variant();
    for (let i = 0; i < times; i++) {
      for (let n = 0; n < variants.length; n++) {
        const which = (i + n) % variants.length;
        took[which].push(variants[which]());
      }
    }
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
  const [plain, recorded, compiled] = took;
  const added = recorded.map((ms, i) => ms - plain[i]);
  return {
    plain: median(plain),
    added: median(added),
    p90: p90(added),
    first: median(compiled.map((ms, i) => ms - plain[i])),
  };
}

function run(flags, store, env = {}) {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...flags, ...PROGRAM], {
    encoding: "utf8",
    env: { ...process.env, REENACT_STORE: store, ...env },
  });
  if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`);
  return performance.now() - from;
}
