import { isOurs } from "./caller-frames.ts";
import { standsFor } from "./node-frames.ts";
import { isCutAt, lengthWithoutRoom, ownLimit } from "./stack-room.ts";
import { likeEachTime, watchTick } from "./tick-frame.ts";
import { turnOf } from "./error-turns.ts";
import { type StackFormat, takesWholeTrace, textOf } from "./whole-trace.ts";

/** Node's parts that call a function in a context: around a callback they are the recorder's doing. */
const CONTEXT = /^node:(?:async_hooks|internal\/async_local_storage\/)/;
const MICROTASK = /^node:(?:async_hooks|internal\/(?:async_hooks|process\/task_queues))$/;
/** Methods of Node's own objects that Node itself calls: what the recorder puts over them only passes the call on. */
const PASSED_ON = new Set(["emit", "push", "write", "end"]);
/** Scripts whose owner is known. */
const MOST_FILES = 2000;

const ours = new Map<string, boolean>();

/** To the format of the program's own that each of ours hands the rest to. */
const given = new WeakMap<StackFormat, StackFormat>();

/**
 * Leaves the recorder's own frames out of what a program reads as `stack`, so that its error pages and logs are what
 * they are without a recorder, and the same in a replay. It stands before Node's own format and before each that the
 * program sets; reading `Error.prepareStackTrace` gives ours.
 */
export function hideOwnFrames(): () => void {
  const found = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const before = found?.value as StackFormat | undefined;
  if (before?.name !== "ErrorPrepareStackTrace" || found?.configurable !== true) return () => {};
  if (process.env["REENACT_LOG"] === "debug") return () => {};
  const standing = filtered(before, false);
  let format: unknown = standing;
  const get = (): unknown => format;
  Object.defineProperty(Error, "prepareStackTrace", {
    configurable: true,
    enumerable: found.enumerable ?? true,
    get,
    set(next: unknown) {
      if (typeof next !== "function") format = next === undefined ? standing : next;
      else
        format = given.has(next as StackFormat) || takesWholeTrace(next) ? next : filtered(next as StackFormat, true);
    },
  });
  watchTick();
  return () => {
    if (Object.getOwnPropertyDescriptor(Error, "prepareStackTrace")?.get !== get) return;
    const last = typeof format === "function" ? (given.get(format as StackFormat) ?? format) : format;
    Object.defineProperty(Error, "prepareStackTrace", { ...found, value: last });
  };
}

/** `asProgram`: its own format asks a frame for more than its text. */
function filtered(format: StackFormat, asProgram: boolean): StackFormat {
  const ours: StackFormat = function prepareStackTrace(this: unknown, error, trace) {
    let shown: readonly NodeJS.CallSite[] = trace;
    try {
      const limit = ownLimit();
      shown = programFrames(trace);
      const length = trace.length > limit ? lengthWithoutRoom(trace, shown !== trace) : null;
      // first: where it takes Node's frames together, others come into view
      const kind = turnOf(error);
      const whole = { frames: withoutHooks(trace), isCut: isCutAt(trace.length, limit) };
      if (kind !== null) shown = likeEachTime(whole, shown, limit, kind, asProgram);
      // frames that stand for one of ours may be more than it
      shown = shown.slice(0, length ?? Math.max(limit, trace.length));
    } catch {
      // then all frames are shown
    }
    return Reflect.apply(format, this, [error, shown]) as unknown;
  };
  given.set(ours, format);
  return ours;
}

/** Frames of the program and of what it calls; `trace` itself where there is nothing to leave out. */
export function programFrames(trace: readonly NodeJS.CallSite[]): readonly NodeJS.CallSite[] {
  const all = withoutHooks(trace);
  if (!all.some(isOwn)) return all;
  return leaveOut(all);
}

function leaveOut(trace: readonly NodeJS.CallSite[]): readonly NodeJS.CallSite[] {
  const firstAsync = trace.findIndex((site) => site.isAsync());
  const end = firstAsync === -1 ? trace.length : firstAsync;
  const shown: NodeJS.CallSite[] = [];
  // number of frames shown above the last frame of ours; what Node calls between two of ours is ours too
  let above = -1;
  let isPassedOn = false;
  for (const site of trace.slice(0, end)) {
    if (!isOwn(site)) {
      if (above === shown.length && isOwnGenerator(site)) continue;
      shown.push(site);
      continue;
    }
    if (above !== -1 && shown.slice(above).every(isBetween)) shown.length = above;
    while (isContext(shown.at(-1))) shown.pop();
    const nodes = standsFor(site);
    if (nodes !== null) shown.push(...nodes);
    above = shown.length;
    isPassedOn = PASSED_ON.has(site.getFunctionName() ?? "");
  }
  // no frame of the program is below: Node called the recorder
  if (!isPassedOn && above !== -1 && shown.slice(above).every(isNodes)) shown.length = above;
  return [...shown, ...trace.slice(end).filter((site) => !isOwn(site))];
}

function isContext(site: NodeJS.CallSite | undefined): boolean {
  return site !== undefined && CONTEXT.test(fileOf(site));
}

function isOwn(site: NodeJS.CallSite): boolean {
  const file = fileOf(site);
  if (file === "" || file.startsWith("node:")) return false;
  let own = ours.get(file);
  if (own === undefined) {
    own = isOurs(file);
    if (ours.size >= MOST_FILES) ours.clear();
    ours.set(file, own);
  }
  return own;
}

/**
 * Without the frames that exist only because the recorder watches asynchronous resources: Node calls back
 * through one function more, and runs each microtask of `queueMicrotask` as a resource.
 */
function withoutHooks(trace: readonly NodeJS.CallSite[]): readonly NodeJS.CallSite[] {
  const last = trace.findLastIndex(isOfHooks);
  if (last === -1) return isCutInHooks(trace) ? trace.slice(0, -2) : trace;
  const all = trace.filter((site) => site.getFunctionName() !== "callbackTrampoline" || !isOfHooks(site));
  const micro = all.findIndex((site) => site.getFunctionName() === "runMicrotask" && isOfHooks(site));
  let from = micro;
  while (from > 0 && MICROTASK.test(fileOf(all[from - 1] as NodeJS.CallSite))) from--;
  if (micro !== -1) all.splice(from, micro - from + 1);
  return all;
}

/** Whether V8 has cut the trace just before the frame by which those of a microtask are known. */
function isCutInHooks(trace: readonly NodeJS.CallSite[]): boolean {
  const [task, scope] = trace.slice(-2);
  if (task === undefined || scope === undefined || scope.getFunctionName() !== "runInAsyncScope") return false;
  return fileOf(scope) === "node:async_hooks" && fileOf(task) === "node:internal/process/task_queues";
}

function isOfHooks(site: NodeJS.CallSite): boolean {
  const name = site.getFunctionName();
  return (name === "callbackTrampoline" || name === "runMicrotask") && MICROTASK.test(fileOf(site));
}

/** `next` of a generator that stands for the program's. */
function isOwnGenerator(site: NodeJS.CallSite): boolean {
  return fileOf(site) === "" && /^watchA?[sS]ync\./.test(textOf(site));
}

/** Of Node or of the language: neither the program's nor a package's. */
function isNodes(site: NodeJS.CallSite): boolean {
  const file = fileOf(site);
  return file === "" || file.startsWith("node:");
}

/** What Node does to call a function of ours from another. */
function isBetween(site: NodeJS.CallSite): boolean {
  const file = fileOf(site);
  return file === "" || CONTEXT.test(file);
}

function fileOf(site: NodeJS.CallSite): string {
  return site.getFileName() ?? "";
}
