import type { Envelope } from "@reenact/envelope/file";
import { fileURLToPath } from "node:url";
import { isAbsolute, relative } from "node:path";
import { oneLine } from "./render/terminal-text.ts";

/** An effect or input of a run that no step holds, as its root has it. */
export interface RecordedLeak {
  kind: string;
  target: string;
  count: number;
  /** tool step in whose body it happened; -1 outside */
  scope: number;
  /** `file:line:column`, the file relative to where the run began; empty: not known */
  place: string;
  /** of a thread: connections that it asked for */
  connections: number;
}

interface Stored {
  kind?: unknown;
  target?: string;
  count?: number;
  scope?: number;
  stack?: string;
  connections?: number;
}

/** Computing and parsing only: a replay may run them again. */
const ONLY_COMPUTES =
  /(?:^|[/\\])(?:bufferutil|utf-8-validate|msgpackr-extract|@msgpackr-extract|cbor-extract|@cbor-extract|bcrypt|argon2|@node-rs|sharp|@img|canvas|@napi-rs|re2|snappy|tiktoken|@swc|lightningcss[\w-]*|rolldown|@rolldown|@oxc-[\w-]+|@parcel|fsevents|xxhash[\w-]*)[/\\]/;

export function leaksOf(run: Envelope): RecordedLeak[] {
  const cwd = (run.facts?.process as { cwd?: string } | undefined)?.cwd ?? null;
  return ((run.facts?.leaks ?? []) as Stored[]).map((leak) => ({
    kind: String(leak.kind),
    target: leak.target ?? "",
    count: leak.count ?? 1,
    scope: leak.scope ?? -1,
    place: placeOf(leak.stack ?? "", cwd),
    connections: leak.connections ?? 0,
  }));
}

/** Whether a replay refuses what it is. */
export function isRefused({ kind, target, connections }: RecordedLeak): boolean {
  return ["child", "socket", "dns"].includes(kind) || (kind === "worker" && (connections > 0 || target === "a text"));
}

/** Whether a replay refuses what it does, and goes on: what comes of that decides. */
export const goesOn = ({ kind, target }: Pick<RecordedLeak, "kind" | "target">): boolean =>
  kind === "worker" && target !== "a text";

/** Whether native code was loaded that may reach the outside. */
export function isNativeCode({ kind, target }: RecordedLeak): boolean {
  return kind === "addon" && !ONLY_COMPUTES.test(target);
}

const NOUNS: Readonly<Record<string, string>> = {
  child: "child process",
  socket: "connection to",
  dns: "DNS look-up of",
  udp: "datagram socket",
  worker: "thread",
  addon: "native addon",
};

/** What it is, and where in the program. */
export function leakName({ kind, target, count, place, connections }: RecordedLeak): string {
  const facts = [
    ...(kind === "worker" && connections > 0 ? ["connects to a server"] : []),
    ...(count > 1 ? [`${count} times`] : []),
    ...(place === "" ? [] : [place]),
  ];
  const named = kind === "child" ? target.replace(/^\S*[/\\](?=[^/\\\s]+)/, "") : target;
  const name = kind === "stdin" ? target : `${NOUNS[kind] ?? kind} ${oneLine(named, 60)}`;
  return `${name}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
}

/** The innermost frame of a stack. */
function placeOf(stack: string, cwd: string | null): string {
  const [line = ""] = stack.split("\n");
  const text = line
    .trim()
    .replace(/^at (?:async )?/, "")
    .replace(/^.*\((.*)\)$/, "$1");
  const [, file = "", at = ""] = /^(.*?)((?::\d+){1,2})$/.exec(text) ?? [];
  if (file === "") return "";
  const path = file.startsWith("file://") ? pathOf(file) : file;
  const near = cwd !== null && isAbsolute(path) ? relative(cwd, path) : path;
  return oneLine(`${near.startsWith("..") ? path : near}${at}`, 80);
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}
