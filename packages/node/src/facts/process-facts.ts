import { isAbsolute, relative } from "node:path";

/** What the process is; argv is redacted with the root that carries it. */
export function processFacts(): Record<string, unknown> {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const cwd = process.cwd();
  const [, entry = null, ...argv] = process.argv;
  return {
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    tz: timeZone,
    locale,
    argv,
    entry: entry === null || !isAbsolute(entry) ? entry : inside(cwd, entry),
    cwd,
    pid: process.pid,
  };
}

/** A path below the working directory says nothing about whose machine it is. */
function inside(cwd: string, path: string): string {
  const below = relative(cwd, path);
  return below.startsWith("..") || isAbsolute(below) ? path : below;
}
