import { isAbsolute, relative } from "node:path";

/** What `ChildProcess.prototype.spawn` is given, as Node's own functions make it. */
export interface SpawnOptions {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd?: string | URL | null;
  /** as the program gave it; absent: its own */
  readonly env?: object | null;
  /** `NAME=value` */
  readonly envPairs?: readonly string[];
  readonly stdio?: unknown;
  readonly detached?: boolean;
  readonly uid?: number;
  readonly gid?: number;
  readonly serialization?: string;
}

/** What a descriptor of a child is: only `pipe` and `ipc` reach the program. */
export type StdioWord = "pipe" | "ignore" | "inherit" | "ipc" | "file";

/** What is recorded of the start of a child, and compared by a replay. */
export interface ChildCommand {
  /** name of the program, without its folder */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Variables of the recorder, of Node's channel between processes, and of the preload. */
const OWN_VARIABLE = /^(?:REENACT_|NODE_CHANNEL_|NODE_OPTIONS=)/;

/** `more`: what else of the call is compared. Throws where the options are none. */
export function commandOf(
  options: SpawnOptions,
  stdio: readonly StdioWord[],
  more: Readonly<Record<string, unknown>> = {},
): ChildCommand {
  const { file, args = [], cwd, detached, uid, gid } = options;
  const name = programName(file);
  const [argv0, ...rest] = args;
  const folder = folderOf(cwd);
  return {
    name,
    args: {
      command: file === process.execPath ? name : file,
      args: rest,
      ...(argv0 !== undefined && argv0 !== file && { argv0 }),
      ...(folder !== null && { cwd: folder }),
      ...environmentOf(options),
      ...(stdio.some((word) => word !== "pipe") && { stdio }),
      ...(detached === true && { detached }),
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
      ...more,
    },
  };
}

function programName(file: string): string {
  if (file === process.execPath) return "node";
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1) || file;
}

/** Relative where it lies below the program's own folder, which may be another one in a replay. */
function folderOf(cwd: string | URL | null | undefined): string | null {
  if (cwd === undefined || cwd === null) return null;
  const folder = String(cwd);
  const own = ownFolder();
  if (own === null) return folder;
  const below = relative(own, folder);
  return below.startsWith("..") || isAbsolute(below) ? folder : below === "" ? "." : below;
}

/** null: it was removed */
function ownFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Variables that differ from the program's own, as it sees them. */
function environmentOf({ env, envPairs = [] }: SpawnOptions): { env?: object; inheritsEnv?: false } {
  if (env === undefined || env === null || env === process.env) return {};
  const set: Record<string, string> = {};
  let isInherited = false;
  for (const pair of envPairs) {
    const at = pair.indexOf("=", 1);
    if (at === -1 || OWN_VARIABLE.test(pair)) continue;
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (process.env[name] === value) isInherited = true;
    else set[name] = value;
  }
  return {
    ...(Object.keys(set).length > 0 && { env: set }),
    ...(!isInherited && { inheritsEnv: false }),
  };
}

/** The descriptors of a child, in any form of the option. */
export function stdioOf(stdio: unknown): StdioWord[] {
  const given: unknown[] = Array.isArray(stdio) ? [...(stdio as unknown[])] : [stdio, stdio, stdio];
  while (given.length < 3) given.push(undefined);
  return given.map((each, at) => {
    if (each === undefined || each === null) return at < 3 ? "pipe" : "ignore";
    if (each === "pipe" || each === "overlapped") return "pipe";
    if (each === "ignore" || each === "ipc") return each;
    return each === "inherit" || each === at ? "inherit" : "file";
  });
}
