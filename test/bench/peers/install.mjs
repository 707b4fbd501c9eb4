import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Installs the peers that need OpenTelemetry 2, beside the project's own version 3. They are 280 MB, which nobody needs but who runs the bench.
 */
export function installPeers() {
  const folder = new URL("./", import.meta.url);
  const installed = new URL("node_modules/.package-lock.json", folder);
  const isFresh =
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(new URL("package-lock.json", folder)).mtimeMs;
  if (isFresh) return;
  const { status } = spawnSync("npm", ["ci", "--loglevel=error"], {
    cwd: fileURLToPath(folder),
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci in ${fileURLToPath(folder)} ended with ${status}: see above`);
}
