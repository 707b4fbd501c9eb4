import { spawnSync } from "node:child_process";

/** Installs packages of Debian, or of a system that has them under the same names; asks for root. Throws with what went wrong. */
export function installPackages(...names: readonly string[]): void {
  run(["update", "-qq"]);
  run(["install", "-y", "-qq", "--no-install-recommends", ...names]);
}

function run(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync("nice", ["-n", "15", "apt-get", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (status !== 0) throw new Error(`apt-get: ${error?.message ?? stderr.slice(-2000)}`);
}
