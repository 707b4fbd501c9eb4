import { isOurs } from "./caller-frames.ts";
import { belongsToRun } from "./context.ts";
import { likeEachTime, watchTick } from "./tick-frame.ts";

type Format = (error: Error, trace: NodeJS.CallSite[]) => unknown;

/** Node's parts that call a function in a context: around a callback they are the recorder's doing. */
const CONTEXT = /^node:(?:async_hooks|internal\/async_local_storage\/)/;
/** Scripts whose owner is known. */
const MOST_FILES = 2000;

const ours = new Map<string, boolean>();

/**
 * Leaves the recorder's own frames out of what a program reads as `stack`, so that its error pages and logs are what
 * they are without a recorder, and the same in a replay. It stands where Node's own format does, and hands it the rest;
 * a program that brings a format of its own has all frames.
 */
export function hideOwnFrames(): () => void {
  const before = Error.prepareStackTrace as Format | undefined;
  if (before?.name !== "ErrorPrepareStackTrace" || process.env["REENACT_LOG"] === "debug") return () => {};
  const format: Format = function prepareStackTrace(error, trace) {
    let shown: readonly NodeJS.CallSite[] = trace;
    try {
      const limit = Error.stackTraceLimit;
      shown = programFrames(trace);
      if (belongsToRun()) shown = likeEachTime(trace, shown, limit);
    } catch {
      // then all frames are shown
    }
    return before(error, shown as NodeJS.CallSite[]);
  };
  Error.prepareStackTrace = format;
  watchTick();
  return () => {
    if (Error.prepareStackTrace === format) Error.prepareStackTrace = before;
  };
}

/** Frames of the program and of what it calls; `trace` itself where there is nothing to leave out. */
export function programFrames(trace: readonly NodeJS.CallSite[]): readonly NodeJS.CallSite[] {
  if (!trace.some(isOwn)) return trace;
  const firstAsync = trace.findIndex((site) => site.isAsync());
  const end = firstAsync === -1 ? trace.length : firstAsync;
  const shown: NodeJS.CallSite[] = [];
  // number of frames shown above the last frame of ours; what Node calls between two of ours is ours too
  let above = -1;
  for (const site of trace.slice(0, end)) {
    if (!isOwn(site)) {
      shown.push(site);
      continue;
    }
    if (above !== -1 && shown.slice(above).every(isNodes)) shown.length = above;
    while (shown.length > 0 && CONTEXT.test(fileOf(shown.at(-1) as NodeJS.CallSite))) shown.pop();
    above = shown.length;
  }
  // nobody of the program stands below: it was Node that called the recorder
  if (above !== -1 && shown.slice(above).every(isNodes)) shown.length = above;
  return [...shown, ...trace.slice(end).filter((site) => !isOwn(site))];
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

/** Of Node or of the language: neither the program's nor a package's. */
function isNodes(site: NodeJS.CallSite): boolean {
  const file = fileOf(site);
  return file === "" || file.startsWith("node:");
}

function fileOf(site: NodeJS.CallSite): string {
  return site.getFileName() ?? "";
}
