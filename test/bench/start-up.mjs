import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./statistics.mjs";

const PROGRAM = [
  "--input-type=module",
  "--eval",
  "const { user, system } = process.cpuUsage(); process.stdout.write(String(user + system))",
];
const register = fileURLToPath(import.meta.resolve("@reenact/node/register"));
const VARIANTS = {
  plain: { args: PROGRAM, env: {} },
  disabled: { args: ["--import", register, ...PROGRAM], env: { REENACT_DISABLED: "1" } },
  registered: { args: ["--import", register, ...PROGRAM], env: {} },
};

/** `{ <variant>: { cpu, wall } }`: processor time to the program's first line, and time from start to end, in ms. */
export function startUp(times) {
  const seen = Object.fromEntries(Object.keys(VARIANTS).map((name) => [name, { cpu: [], wall: [] }]));
  for (let i = 0; i < times; i++) {
    for (const [name, { args, env }] of Object.entries(VARIANTS)) {
      const from = performance.now();
      const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...env } });
      seen[name].wall.push(performance.now() - from);
      seen[name].cpu.push(Number(stdout) / 1000);
    }
  }
  return Object.fromEntries(
    Object.entries(seen).map(([name, { cpu, wall }]) => [name, { cpu: median(cpu), wall: median(wall) }]),
  );
}
