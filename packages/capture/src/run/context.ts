import { AsyncLocalStorage } from "node:async_hooks";
import type { PendingToolCalls } from "./pending-tool-calls.ts";
import type { Run } from "./run.ts";
import { sharedPart } from "../patch/global-registry.ts";

/** Where in an agent the running code stands. */
export interface Frame {
  /** null: our own work, or the body of a live transport; nothing there is recorded */
  readonly run: Run | null;
  /** logical path, segments joined by `/`; empty at the root */
  readonly path: string;
  /** number of the tool step in whose body the code runs; -1 outside */
  readonly scope: number;
  /** span of that step, else of the run's root */
  readonly span: string;
  /** what the models of this frame asked for */
  readonly asks: PendingToolCalls | null;
  readonly outer: Frame | null;
  /** the tool whose body this is */
  readonly tool?: EnteredTool;
}

/** A tool's body. The first call inside of it of the same tool, by the other way of recording, is no step of its own. */
export interface EnteredTool {
  readonly name: string;
  readonly by: "tool" | "hook";
  entered: boolean;
}

const shared = sharedPart("context", () => ({
  storage: new AsyncLocalStorage<Frame | undefined>(),
  processFrame: null as Frame | null,
}));
const { storage } = shared;
const LIVE: Frame = { run: null, path: "", scope: -1, span: "", asks: null, outer: null };

/** The frame of code in no other run's context. A preload cannot enter a store that reaches the program. */
export function setProcessFrame(frame: Frame | null): void {
  shared.processFrame = frame;
}

/** The frame of the running code in a run that records its inputs and their order; null where none does. */
export function here(): Frame | null {
  const frame = storage.getStore() ?? shared.processFrame;
  return frame === null || frame.run === null || frame.run.over || frame.run.inputsEnded ? null : frame;
}

/** As `here`, also in a run that records no inputs any more: a step may open there. */
export function stepFrame(): Frame | null {
  const frame = storage.getStore() ?? shared.processFrame;
  return frame === null || frame.run === null || frame.run.over ? null : frame;
}

/** The run that the running code is of, be that over. */
export function runOfContext(): Run | null {
  return (storage.getStore() ?? shared.processFrame)?.run ?? null;
}

/** As `stepFrame`, where effects are counted: not in a run that has forgotten its prelude and is not born. */
export function effectFrame(): Frame | null {
  const frame = stepFrame();
  return frame?.run?.resting === true ? null : frame;
}

/** Whether what happens here is of a replay, our own work included. */
export function inReplay(): boolean {
  return (stepFrame() ?? shared.processFrame)?.run?.source.virtualTimers === true;
}

/** Runs `fn` as our own work: its clock, timers, random draws and calls pass through. */
export function live<T>(fn: () => T): T {
  return storage.getStore() === LIVE ? fn() : storage.run(LIVE, fn);
}

export function isLive(): boolean {
  return storage.getStore()?.run === null;
}

export function within<T>(frame: Frame, fn: () => T): T {
  const store = frame === shared.processFrame ? undefined : frame;
  return storage.getStore() === store ? fn() : storage.run(store, fn);
}
