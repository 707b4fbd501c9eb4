import type { ChildProcess } from "node:child_process";
import { guarded } from "../fault/faults.ts";
import { maySpawnForAgent } from "../inbound/agent-signs.ts";
import { leaked } from "../leaks/leaked.ts";
import { isLoadingProgram } from "../leaks/program-loading.ts";
import { replaceMethod, undoAll } from "../patch/replace-method.ts";
import { effectFrame, type RunFrame } from "../run/context.ts";
import { type SpawnOptions, stdioOf } from "./child-command.ts";
import { nodeChildren } from "./node-children.ts";
import { isKnown, type Spawn, spawnRecorded } from "./recorded-child.ts";
import { spawnSyncRecorded, type SyncSpawn } from "./sync-child.ts";

const LONGEST_TARGET = 200;

let active = false;

/** Records child processes of runs, in whatever way they are started. What cannot be recorded is counted. */
export function installChildren(): () => void {
  if (active) return () => {};
  active = true;
  const { ChildProcess } = nodeChildren();
  const native = syncPart();
  return undoAll([
    replaceMethod<Spawn>(
      ChildProcess.prototype,
      "spawn",
      (real) =>
        function spawn(this: ChildProcess, options) {
          const frame = guarded("child", null, () => recordingFrame(options, isKnown(this)));
          if (frame !== null) return spawnRecorded(this, options, frame, real);
          return Reflect.apply(real, this, [options]);
        },
    ),
    ...(native === null
      ? countSync()
      : [
          replaceMethod<SyncSpawn>(
            native,
            "spawn",
            (real) =>
              function spawn(this: unknown, options) {
                const frame = guarded("child", null, () => recordingFrame(options, true));
                if (frame !== null) return spawnSyncRecorded(options, frame, real);
                return Reflect.apply(real, this, [options]);
              },
          ),
        ]),
    () => {
      active = false;
    },
  ]);
}

/** Whether the start of a child is a step here, or answered from a record. */
export function recordsChild(options: unknown): boolean {
  return active && guarded("child", null, () => frameOf(options as SpawnOptions)) !== null;
}

/** Whether this process records the children that it waits for. */
export function recordsSyncChildren(): boolean {
  return active && syncPart() !== null;
}

/** The frame whose step the child is; null: it is none, and counted where it is an effect of a run. */
function recordingFrame(options: SpawnOptions, isKnown: boolean): RunFrame | null {
  const frame = isKnown ? frameOf(options) : null;
  if (frame !== null) return frame;
  const { file, args = [] } = options;
  leaked("child", (args.length > 0 ? args : [file]).join(" ").slice(0, LONGEST_TARGET));
  return null;
}

function frameOf(options: SpawnOptions): RunFrame | null {
  const frame = effectFrame();
  if (frame === null || isLoadingProgram() || isClusterWorker(options)) return null;
  return frame.run.isActive || frame.run.start.trigger !== "process" || maySpawnForAgent(hasChannel(options))
    ? frame
    : null;
}

function hasChannel({ stdio }: SpawnOptions): boolean {
  return Array.isArray(stdio) && stdioOf(stdio).includes("ipc");
}

/** Workers of `node:cluster` share the sockets of their parent, over messages of Node's own. */
function isClusterWorker({ envPairs = [] }: SpawnOptions): boolean {
  return envPairs.some((pair) => pair.startsWith("NODE_UNIQUE_ID="));
}

/**
 * Node's native part that all its synchronous functions come down to. It is reached by `process.binding` alone, which warns under
 * `--pending-deprecation`, and which the permission model forbids: there these children are counted, not recorded.
 */
function syncPart(): { spawn: SyncSpawn } | null {
  const options = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ");
  if (/--pending-deprecation|--permission/.test(options) || process.env["NODE_PENDING_DEPRECATION"] === "1")
    return null;
  try {
    const { binding } = process as unknown as { binding(name: string): { spawn?: unknown } };
    const part = binding.call(process, "spawn_sync");
    return typeof part.spawn === "function" ? (part as { spawn: SyncSpawn }) : null;
  } catch {
    return null;
  }
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

function countSync(): (() => void)[] {
  return (["spawnSync", "execFileSync", "execSync"] as const).map((name) =>
    replaceMethod<AnyFunction>(
      nodeChildren(),
      name,
      (real) =>
        function (this: unknown, ...args) {
          const [file, list] = args;
          const line = [file, ...(Array.isArray(list) && name !== "execSync" ? (list as unknown[]) : [])];
          leaked(
            "child",
            line
              .filter((part) => typeof part === "string")
              .join(" ")
              .slice(0, LONGEST_TARGET),
          );
          return Reflect.apply(real, this, args);
        },
      "count",
    ),
  );
}
