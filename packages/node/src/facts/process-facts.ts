import { readlinkSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { isatty } from "node:tty";
import { hostnameRead, live } from "@reenact/capture/recorder";
import { environment } from "../config/config.ts";
import { workingFolder } from "./working-folder.ts";

/** What decides the default locale on Linux; recorded as it is, and set again in a replay. */
const LOCALE_VARIABLES = ["LC_ALL", "LC_MESSAGES", "LANG"] as const;

/** What the process is; argv is redacted with the root that carries it. */
export function processFacts(): Record<string, unknown> {
  const cwd = workingFolder();
  const host = hostnameRead();
  const [, entry = null, ...argv] = process.argv;
  return {
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    ...live(zoneAndLocale),
    argv,
    entry: entry === null || !isAbsolute(entry) ? entry : inside(cwd, entry),
    cwd,
    pid: process.pid,
    ppid: process.ppid,
    terminals: live(() => ({ stdin: isatty(0), stdout: terminal(1, "stdout"), stderr: terminal(2, "stderr") })),
    ...(host === undefined ? {} : { host }),
  };
}

/** What a program sees of a terminal: it prints otherwise to one. Null: the output goes elsewhere. */
function terminal(descriptor: number, name: "stdout" | "stderr"): Record<string, number> | null {
  // to ask for the stream would make it, which has effects where it is a pipe
  if (!isatty(descriptor)) return null;
  const { columns, rows } = process[name];
  return { columns, rows, depth: process[name].getColorDepth() };
}

/** A path below the working directory says nothing about whose machine it is. */
function inside(cwd: string, path: string): string {
  const below = relative(cwd, path);
  return below.startsWith("..") || isAbsolute(below) ? path : below;
}

/**
 * Time zone and locale. To ask `Intl` loads the whole of ICU's default locale, 10 to 25 ms of the agent's time, so on
 * Linux the places are read from which it takes both.
 */
function zoneAndLocale(): Record<string, unknown> {
  const env = environment();
  const zone = process.platform === "linux" ? (env["TZ"] ?? linkedZone()) : null;
  if (zone === null || zone === "") {
    const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
    return { tz: timeZone, locale };
  }
  return { tz: zone, localeVariables: Object.fromEntries(LOCALE_VARIABLES.map((name) => [name, env[name] ?? null])) };
}

function linkedZone(): string | null {
  try {
    return /zoneinfo\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1] ?? null;
  } catch {
    return null;
  }
}
