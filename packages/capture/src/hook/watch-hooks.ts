import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { originals } from "../patch/originals.ts";
import { undoAll } from "../patch/replace-method.ts";
import { live } from "../run/context.ts";
import { guarded, warnOnce } from "../fault/faults.ts";
import type { LoadWatch } from "./module-loading.ts";
import type { Hook } from "./hook.ts";
import type { AnyFunction, HookedFile } from "./hooked-file.ts";
import { watchDecisions } from "./decision-holder.ts";
import { watchChannel, watchNegotiation } from "./message-channel.ts";
import type { JobService } from "./job-source.ts";
import { watchJobService } from "./watch-job-service.ts";
import { watchJobs } from "./watch-jobs.ts";
import { watchJobTaker } from "./watch-job-taker.ts";
import { watchMade } from "./watch-made.ts";
import { watchQueue, watchWire } from "./wire/watch-wire.ts";
import type { WireQueue } from "./wire/wire-driver.ts";
import { sharedTimer } from "./shared-timer.ts";
import { watchMethod } from "./method-step.ts";
import { watchHolder } from "./tool-holder.ts";
import type { HookState } from "./tool-step.ts";
import { isWithin } from "./version-range.ts";

/** Hooked modules call this function of `process` in a line appended to them, with the name of the hook and the value. */
const SEAM = "reenact.hooks/1";
const IN_PACKAGE = /^(.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+))[/\\](.+)$/;

const { readFileSync } = fs;

/**
 * Applies hooks to modules as they are loaded. A value of another shape than the hook expects is left alone: the agent must
 * not notice that a library has changed.
 */
export function watchHooks(hooks: readonly Hook[]): LoadWatch {
  const undos: (() => void)[] = [];
  const rows = new Map<string, [Hook, HookedFile][]>();
  for (const hook of hooks)
    for (const file of filesOf(hook))
      for (const name of file.packages) rows.set(name, [...(rows.get(name) ?? []), [hook, file]]);
  const states = new Map(hooks.map((hook) => [hook, new RowState()]));
  const builtins = new Map(hooks.flatMap((hook) => (hook.builtin === undefined ? [] : [[hook.builtin, hook]])));
  /** Gives what takes the place of the value. */
  const apply = (hook: Hook, value: unknown): unknown =>
    guarded("hooks", value, () => {
      const state = states.get(hook) as RowState;
      if (hook.step !== undefined) watchMethod(value as { prototype: object }, hook.step, state, undos);
      if (hook.channel !== undefined) watchChannel(value as { prototype: object }, hook.channel, state, undos);
      if (hook.wire !== undefined) watchWire(value as { prototype: object }, hook.wire, state, undos);
      if (hook.jobs !== undefined) watchJobs(value as { prototype: object }, hook.jobs, state, undos);
      if (hook.jobTaker !== undefined) watchJobTaker(value as { prototype: object }, hook.jobTaker, state, undos);
      if (hook.made !== undefined) watchMade(value as { prototype: object }, hook.made, state, undos);
      hook.patch?.(value as never, undos);
      if (hook.decisions !== undefined) return watchDecisions(value, hook.decisions, state, undos);
      return hook.tools === undefined ? value : watchHolder(value, hook.tools, state, undos);
    });
  /** `number`: of the queue or service among those of the row */
  const seen = (name: string, value: unknown, role?: Role, number = 0): unknown => {
    const hook = hooks.find((row) => row.name === name);
    const state = hook === undefined ? undefined : states.get(hook);
    if (hook === undefined || state === undefined) return value;
    if (role === undefined) return apply(hook, value);
    if (role === "negotiation") return watchNegotiation(value as AnyFunction, state);
    if (role === "timer") return sharedTimer("setImmediate", state);
    if (role === "queue")
      return guarded("hooks", value, () =>
        applyQueue(hook.wire?.queues[number], value as { prototype: object }, state),
      );
    if (role === "service") return guarded("hooks", value, () => applyService(servicesOf(hook)[number], value, state));
    state.classes.set((value as { name: string }).name, value as ErrorClass);
    return value;
  };
  const applyQueue = (queue: WireQueue | undefined, value: { prototype: object }, state: RowState): unknown => {
    if (queue !== undefined && Object.hasOwn(value.prototype, queue.method)) watchQueue(value, queue, state, undos);
    return value;
  };
  const applyService = (service: JobService | undefined, value: unknown, state: RowState): unknown => {
    if (service !== undefined) watchJobService(value as { prototype: object }, service, state, undos);
    return value;
  };
  Object.defineProperty(process, Symbol.for(SEAM), { value: seen, configurable: true });
  return {
    asked(url) {
      const hook = builtins.get(url);
      if (hook !== undefined) apply(hook, loadBuiltin(url, hook));
    },
    loaded(url, output) {
      const [, folder = "", name = "", path = ""] = IN_PACKAGE.exec(url) ?? [];
      const found = rows.get(name.replace("\\", "/"));
      const here = (found ?? []).filter(([, file]) => file.path.test(path.replaceAll("\\", "/")));
      const used = here.filter(([hook, file]) => inRange(hook, file, folder));
      if (used.length === 0) return output;
      const source = output.source ?? readFileSync(fileURLToPath(url));
      const text = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
      const lines = used.map(([hook, file]) => lineFor(hook, file, nameIn(text, file.value)));
      return { ...output, source: `${text}\n${lines.join("\n")}\n` };
    },
    undo() {
      for (const state of states.values()) state.active = false;
      undoAll(undos)();
      Reflect.deleteProperty(process, Symbol.for(SEAM));
    },
  };
}

function loadBuiltin(url: string, { keepsTimers }: Hook): unknown {
  if (keepsTimers !== true) return process.getBuiltinModule(url);
  const timers: { setImmediate: unknown; setTimeout: unknown } = process.getBuiltinModule("node:timers");
  const { setImmediate, setTimeout } = timers;
  Object.assign(timers, { setImmediate: originals.setImmediate, setTimeout: originals.setTimeout });
  try {
    return process.getBuiltinModule(url);
  } finally {
    Object.assign(timers, { setImmediate, setTimeout });
  }
}

/** What a value is that is no class or function which holds steps itself. */
type Role = "error" | "negotiation" | "queue" | "service" | "timer";

type ErrorClass = new (...args: never[]) => Error;

class RowState implements HookState {
  active = true;
  readonly classes = new Map<string, ErrorClass>();

  readonly revive = (error: unknown): unknown => {
    const Class = error instanceof Error ? this.classes.get(error.constructor.name) : undefined;
    if (Class !== undefined && !(error instanceof Class)) Object.setPrototypeOf(error, Class.prototype as object);
    return error;
  };
}

/** The line that is appended to a module. A function that is watched itself is replaced, among the exports of CommonJS too. */
function lineFor(hook: Hook, file: HookedFile, value: string): string {
  const role = roleOf(hook, file);
  const number =
    role === "queue"
      ? `, ${hook.wire?.queues.indexOf(file as WireQueue)}`
      : role === "service"
        ? `, ${servicesOf(hook).indexOf(file as JobService)}`
        : "";
  const given = role === null ? "" : `, ${JSON.stringify(role)}${number}`;
  const argument = role === "timer" ? "null" : value;
  const call = `process[Symbol.for("${SEAM}")]?.(${JSON.stringify(hook.name)}, ${argument}${given})`;
  // the module's own variable, in the place of the global one
  if (role === "timer") return `var ${value} = ${call} ?? globalThis.${value};`;
  const holds = role === null && isReplaced(hook);
  if (role !== "negotiation" && !holds) return `try { ${call}; } catch {}`;
  const exported = `typeof exports === "object" && Object.hasOwn(exports, "${value}")`;
  return `try { ${value} = ${call} ?? ${value}; if (${exported}) exports.${value} = ${value}; } catch {}`;
}

const isReplaced = ({ tools, decisions }: Hook): boolean =>
  (tools !== undefined && tools.method === undefined) || (decisions !== undefined && decisions.methods === undefined);

/** The expression for a value in a module with this source. */
function nameIn(source: string, value: string | RegExp): string {
  return typeof value === "string"
    ? value
    : (value
        .exec(source)
        ?.slice(1)
        .find((name) => name !== undefined) ?? "null");
}

function servicesOf({ jobs, jobTaker }: Hook): readonly JobService[] {
  return jobs?.services ?? jobTaker?.services ?? [];
}

function filesOf(hook: Hook): readonly HookedFile[] {
  const { files = [], errors = [], sharedTimers = [], channel, wire } = hook;
  return [
    ...files,
    ...errors,
    ...sharedTimers,
    ...(channel?.negotiation ?? []),
    ...(wire?.queues ?? []),
    ...servicesOf(hook),
  ];
}

function roleOf(hook: Hook, file: HookedFile): Role | null {
  const { errors, sharedTimers, channel, wire } = hook;
  if (sharedTimers?.some((each) => each === file) === true) return "timer";
  if (errors?.includes(file) === true) return "error";
  if (wire?.queues.includes(file as WireQueue) === true) return "queue";
  if (servicesOf(hook).includes(file as JobService)) return "service";
  return channel?.negotiation.includes(file) === true ? "negotiation" : null;
}

/** Whether the package in this folder has a version that the hook is made for; says so once where it has another. */
function inRange({ name, title, ...hook }: Hook, file: HookedFile, folder: string): boolean {
  const versions = file.versions ?? hook.versions;
  if (versions === undefined) return true;
  const version = guarded("hooks", null, () => live(() => versionIn(fileURLToPath(folder))));
  if (version === null) return false;
  if (isWithin(version, versions)) return true;
  warnOnce(
    `hook:${name}`,
    `${title} not recorded: version ${version} is outside the tested range >=${versions.from} <${versions.below}`,
  );
  return false;
}

function versionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { version: string };
  return version;
}
