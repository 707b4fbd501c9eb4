// What a program without an agentic step pays, per operation: `node test/bench/no-step.mjs [--quick]`. Plain and recorded in turn.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const kinds = {
  "process.env read": [
    2_000_000,
    (n) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += process.env.PATH.length;
      return sum;
    },
  ],
  "Math.random": [
    3_000_000,
    (n) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += Math.random();
      return sum;
    },
  ],
  "Date.now": [
    3_000_000,
    (n) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += Date.now();
      return sum;
    },
  ],
  "new Date": [
    2_000_000,
    (n) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += +new Date();
      return sum;
    },
  ],
  "performance.now": [
    3_000_000,
    (n) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += performance.now();
      return sum;
    },
  ],
  randomUUID: [
    500_000,
    (n) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += crypto.randomUUID().length;
      return sum;
    },
  ],
  "cleared timer": [
    500_000,
    (n) => {
      for (let i = 0; i < n; i++) clearTimeout(setTimeout(() => {}, 1000));
    },
  ],
  timer: [
    100_000,
    (n) =>
      new Promise((resolve) => {
        let left = n;
        for (let i = 0; i < n; i++) setTimeout(() => --left || resolve(), 1);
      }),
  ],
  immediate: [
    200_000,
    (n) =>
      new Promise((resolve) => {
        const next = () => (--n > 0 ? setImmediate(next) : resolve());
        next();
      }),
  ],
};

if (process.argv[2] === "--child") {
  const [count, work] = kinds[process.argv[3]];
  const n = Math.ceil(count * Number(process.argv[4]));
  // past the bound of what is kept before a first agentic step
  await work(100_000);
  const from = process.cpuUsage();
  await work(n);
  const { user, system } = process.cpuUsage(from);
  console.log(((user + system) * 1000) / n);
} else {
  const share = process.argv.includes("--quick") ? 0.2 : 1;
  const folder = mkdtempSync(join(tmpdir(), "no-step-"));
  const register = pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/register.js")).href;
  const env = { ...process.env, NODE_OPTIONS: "", REENACT_DIR: folder };
  const ask = (kind, flags) =>
    Number(
      execFileSync(process.execPath, [...flags, fileURLToPath(import.meta.url), "--child", kind, share], {
        env,
        encoding: "utf8",
      }),
    );
  const middle = (all) => all.sort((a, b) => a - b)[all.length >> 1];
  console.log("ns of processor time | plain | recorder | ×");
  for (const kind of Object.keys(kinds)) {
    const [plain, recorded] = [[], []];
    for (let i = 0; i < 5; i++) {
      plain.push(ask(kind, []));
      recorded.push(ask(kind, ["--import", register]));
    }
    const [a, b] = [middle(plain), middle(recorded)];
    console.log(`${kind} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(b / a).toFixed(2)}`);
  }
  rmSync(folder, { recursive: true, force: true });
}
