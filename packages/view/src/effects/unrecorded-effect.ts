import type { Envelope } from "@reenact/envelope/file";
import { oneLine } from "../text/plain-text.ts";

/** An effect or input of a run that no step records, as listed by the root span. */
export interface UnrecordedEffect {
  kind: string;
  target: string;
  count: number;
  /** tool step during which it happened; -1: outside of every tool */
  scope: number;
  /** `file:line:column`, the file relative to the working directory of the run; empty: not known */
  place: string;
  /** number of connections that a thread requested */
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

/** Native addons that only compute or parse: a replay may run them again. */
const ONLY_COMPUTES =
  /(?:^|[/\\])(?:bufferutil|utf-8-validate|msgpackr-extract|@msgpackr-extract|cbor-extract|@cbor-extract|bcrypt|argon2|@node-rs|sharp|@img|canvas|@napi-rs|re2|snappy|tiktoken|@swc|lightningcss[\w-]*|rolldown|@rolldown|@oxc-[\w-]+|@parcel|fsevents|xxhash[\w-]*)[/\\]/;

export function unrecordedEffects(run: Pick<Envelope, "facts">): UnrecordedEffect[] {
  const cwd = (run.facts?.process as { cwd?: string } | undefined)?.cwd ?? null;
  return ((run.facts?.leaks ?? []) as Stored[]).map((stored) => ({
    kind: String(stored.kind),
    target: stored.target ?? "",
    count: stored.count ?? 1,
    scope: stored.scope ?? -1,
    place: placeOf(stored.stack ?? "", cwd),
    connections: stored.connections ?? 0,
  }));
}

/** Whether a replay refuses the effect. */
export function isRefused({ kind, target, connections }: UnrecordedEffect): boolean {
  return (
    ["child", "parent", "socket", "dns"].includes(kind) ||
    (kind === "worker" && (connections > 0 || target === "a text"))
  );
}

/** Whether a replay continues after it has refused the effect, and diverges only if that changes something. */
export function continuesAfterRefusal({ kind, target }: Pick<UnrecordedEffect, "kind" | "target">): boolean {
  return kind === "parent" || (kind === "worker" && target !== "a text");
}

/** Whether the effect loaded native code that may have effects of its own. */
export function isNativeCode({ kind, target }: UnrecordedEffect): boolean {
  return kind === "addon" && !ONLY_COMPUTES.test(target);
}

const NOUNS: Readonly<Record<string, string>> = {
  child: "child process",
  parent: "messages with",
  socket: "connection to",
  dns: "DNS look-up of",
  udp: "datagram socket",
  worker: "thread",
  addon: "native addon",
};

/** The effect as one line of text, with its place in the program: `child process git status (agent.js:4:13)`. */
export function effectName({ kind, target, count, place, connections }: UnrecordedEffect): string {
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
  const isInside = cwd !== null && /^[/\\]/.test(path.slice(cwd.length)) && path.startsWith(cwd);
  return oneLine(`${isInside ? path.slice(cwd.length + 1) : path}${at}`, 80);
}

/** The path of a file URL in the notation of the machine that recorded it. */
function pathOf(url: string): string {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return /^\/[A-Za-z]:\//.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
  } catch {
    return url;
  }
}
