import { live } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import type { TurnKind } from "../source/gate.ts";
import { inFormat, type StackFormat, textOf } from "./whole-trace.ts";

const TICK = "node:internal/process/task_queues";
/** Readers of bodies: code of Node that is the outermost frame only where a promise called it. */
const RESUMED = /^node:internal\/deps\/undici\//;
const DRIVER = /^node:internal\/(?:process\/task_queues|timers)$/;

/** The frame of Node that a promise's continuation stands on as a rule; null until one was seen. */
let tick: NodeJS.CallSite | null = null;

/** Looks once at what Node puts below a continuation. */
export function watchTick(): void {
  if (tick !== null) return;
  live(() => process.nextTick(() => void Promise.resolve().then(() => guarded("stacks", undefined, look))));
}

const whole: StackFormat = (_, trace) => trace;

function look(): void {
  const trace = inFormat(whole, () => new Error().stack as unknown as NodeJS.CallSite[]);
  tick = trace.find((site) => site.getFileName() === TICK) ?? null;
}

/** A trace before it is shown in the format of the program. */
export interface WholeTrace {
  /** its frames without those of hooks, with those of the recorder */
  readonly frames: readonly NodeJS.CallSite[];
  /** whether V8 may have cut it */
  readonly isCut: boolean;
}

/**
 * How Node came to run a continuation depends on what else was due in that turn of the event loop: it stands on one
 * frame, on three, or on none. The result has the frame that belongs to this kind of turn, or the one of `process.nextTick`.
 */
export function likeEachTime(
  whole: WholeTrace,
  shown: readonly NodeJS.CallSite[],
  limit: number,
  kind: TurnKind,
  asProgram = false,
): readonly NodeJS.CallSite[] {
  if (tick === null) return shown;
  const end = firstAsync(shown);
  let from = end;
  while (from > 0 && DRIVER.test(fileOf(shown[from - 1]))) from--;
  const driver = shown.slice(from, end).find((site) => fileOf(site) === TICK);
  // a callback of a timer, and no continuation
  if (driver === undefined && from < end) return shown;
  if (kind === "bare" && !shown.slice(from, end).some(isTick))
    return from === end ? shown : [...shown.slice(0, from), ...shown.slice(end)];
  if (driver === undefined && !endsInProgram(whole, shown, end)) return shown;
  const frame = driver !== undefined && isTickCallback(driver) ? (asProgram ? driver : named(driver)) : tick;
  const same = [...shown.slice(0, from), frame, ...shown.slice(end)];
  // where there is no room for it, the last frame gives way: as if V8 had counted it
  return same.slice(0, Math.max(limit, shown.length));
}

function firstAsync(shown: readonly NodeJS.CallSite[]): number {
  const found = shown.findIndex((site) => site.isAsync());
  return found === -1 ? shown.length : found;
}

function isTick(site: NodeJS.CallSite): boolean {
  return site.getFunctionName() === tick?.getFunctionName();
}

/** Called by `process.nextTick`, and no continuation: it stands on another line. */
function isTickCallback(site: NodeJS.CallSite): boolean {
  return site.getFunctionName() === tick?.getFunctionName() && site.getLineNumber() !== tick?.getLineNumber();
}

/** It is called as a method of `process`, or from another such function by its bare name. */
function named(site: NodeJS.CallSite): NodeJS.CallSite {
  // to map a frame Node asks more than its text
  if (process.sourceMapsEnabled || site.getTypeName() !== null) return site;
  const text = `process.${textOf(site)}`;
  return { toString: () => text } as NodeJS.CallSite;
}

/**
 * Whether no frame of Node or of the recorder was below the last frame that is not asynchronous, and none was cut off: V8 comes to
 * asynchronous frames when it has all others. Where a function of Node has left out all others, the first asynchronous one is the program's.
 */
function endsInProgram({ frames, isCut }: WholeTrace, shown: readonly NodeJS.CallSite[], end: number): boolean {
  const last = shown[end - 1];
  if (last === undefined) return frames[0]?.isAsync() === true && isProgram(shown[0]);
  if (!isProgram(last) && !RESUMED.test(fileOf(last))) return false;
  const next = frames[frames.indexOf(last) + 1];
  return next === undefined ? !isCut : next.isAsync();
}

const isProgram = (site: NodeJS.CallSite | undefined): boolean =>
  fileOf(site) !== "" && !fileOf(site).startsWith("node:");

function fileOf(site: NodeJS.CallSite | undefined): string {
  return site?.getFileName() ?? "";
}
