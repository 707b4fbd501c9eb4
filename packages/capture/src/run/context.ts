import type { OpenedDatabases } from "../leaks/opened-databases.ts";
import type { UnrecordedEffects } from "../leaks/unrecorded-effects.ts";
import type { WrittenFiles } from "../leaks/written-files.ts";
import type { Dialect } from "../span/dialect.ts";
import type { Retries } from "../span/retries.ts";
import type { Step, StepRun } from "../span/step.ts";
import type { Occurrences } from "./path.ts";
import type { MetadataLog } from "./run-metadata.ts";
import type { RunEnd, RunStart } from "./run-start.ts";
import type { RunMetadata } from "./sink.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import type { PendingToolCalls } from "./pending-tool-calls.ts";
import type { Source } from "../source/source.ts";
import { sharedPart } from "../patch/global-registry.ts";

/** A run as frames, steps and sources see it; `Run` implements it. */
export interface RunContext extends StepRun {
  readonly rootSpanId: string;
  readonly start: RunStart;
  /** epoch milliseconds with fraction */
  readonly started: number;
  readonly dialects: readonly Dialect[];
  readonly occurrences: Occurrences;
  readonly retries: Retries;
  readonly leaks: UnrecordedEffects;
  readonly files: WrittenFiles;
  readonly databases: OpenedDatabases;
  readonly metadata: MetadataLog;
  readonly lossy: string[];
  /** told before the run ends */
  readonly ending: Set<(run: RunContext) => void>;
  /** objects that tools returned, by identity, to the step that returned them */
  readonly returned: WeakMap<object, number>;
  readonly frame: RunFrame;
  readonly source: Source;
  /** it has taken an agentic step: it is written */
  readonly isActive: boolean;
  readonly over: boolean;
  /** no clock, random value, timer or operation is recorded any more: its journal is full */
  readonly inputsEnded: boolean;
  /** not active, and its prelude was dropped: it takes nothing but an agentic step */
  readonly resting: boolean;
  /** another thread encodes large values of this run */
  readonly hasReader: boolean;
  /** how the run ended; null while it goes on */
  readonly outcome: RunEnd | null;
  /** how it ends at the latest with the process: it has returned what is still being read */
  readonly answered: RunEnd | null;
  /** number of steps so far, and of those that are not written yet */
  readonly steps: number;
  readonly openSteps: number;
  /** it waits for an answer of a person that this process does not get */
  readonly isSuspended: boolean;
  /** milliseconds without activity after which it waits for its open steps no longer, once it has answered; 0: none is open */
  readonly idleMs: number;
  /** Runs our own callback in the context of the run's root. */
  enter(fn: () => void): void;
  newPendingToolCalls(): PendingToolCalls;
  nextStep(): number;
  /** The source has given a step its recorded number; later ones must not collide with it. */
  renumbered(step: Step, index: number): void;
  /** Before the first agentic step gets its number and its place in the journal. */
  wake(): void;
  opened(step: Step, agentic: boolean): void;
  /** A step is under way: its redacted request is written in a later turn, so that a killed process leaves it behind. */
  inFlight(step: Step): void;
  /** A step that goes on has yielded value `at`, from 0: it is written at once. */
  yielded(step: Step, at: number): void;
  /** So many bytes of a body have come. */
  received(bytes: number): void;
  settled(step: Step): void;
  /** For a step that ends without a settle: aborted, cancelled, open. */
  closed(step: Step): void;
  annotate(metadata: RunMetadata, scope: number): void;
  end(how: RunEnd): void;
  /** The process ends: what another thread still reads is read here. */
  finish(): void;
}
/** Where in an agent the running code stands. */
export interface Frame {
  /** null: our own work, or the body of a live transport; nothing there is recorded */
  readonly run: RunContext | null;
  /** logical path, segments joined by `/`; empty at the root */
  readonly path: string;
  /** number of the tool step in whose body the code runs; -1 outside */
  readonly scope: number;
  /** span of that step, else of the run's root */
  readonly span: string;
  /** what the models of this frame asked for */
  readonly pendingToolCalls: PendingToolCalls | null;
  readonly outer: Frame | null;
  /** the tool whose body this is */
  readonly tool?: EnteredTool;
}

/** The frame of code whose steps and inputs belong to a run. */
export interface RunFrame extends Frame {
  readonly run: RunContext;
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
const LIVE: Frame = { run: null, path: "", scope: -1, span: "", pendingToolCalls: null, outer: null };

/** The frame of code in no other run's context. A preload cannot enter a store that reaches the program. */
export function setProcessFrame(frame: Frame | null): void {
  shared.processFrame = frame;
}

/** The frame of the running code in a run that records its inputs and their order; null where none does. */
export function here(): RunFrame | null {
  const frame = stepFrame();
  return frame === null || frame.run.inputsEnded ? null : frame;
}

/** As `here`, also in a run that records no inputs any more: a step may open there. */
export function stepFrame(): RunFrame | null {
  const frame = storage.getStore() ?? shared.processFrame;
  return frame === null || !hasRun(frame) || frame.run.over ? null : frame;
}

function hasRun(frame: Frame): frame is RunFrame {
  return frame.run !== null;
}

/** The frame of the process's own run; null: it is over, or keeps nothing any more. */
export function processFrame(): RunFrame | null {
  const frame = shared.processFrame;
  return frame === null || !hasRun(frame) || frame.run.over || frame.run.resting ? null : frame;
}

/** The run of the running code, also one that is over. */
export function runOfContext(): RunContext | null {
  return (storage.getStore() ?? shared.processFrame)?.run ?? null;
}

/** As `stepFrame`, where effects are counted: not in a run that has not started and whose prelude was dropped. */
export function effectFrame(): RunFrame | null {
  const frame = stepFrame();
  return frame?.run.resting === true ? null : frame;
}

/** Whether this code runs in a replay, our own work included. */
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

/** Whether the running code is in no run's context and none of our own work. */
export function isOutside(): boolean {
  return stepFrame() === null && !isLive();
}

/** Whether the running code is in no context but the process's own. */
export function isInProcess(): boolean {
  return storage.getStore() === undefined;
}

export function within<T>(frame: Frame, fn: () => T): T {
  const store = frame === shared.processFrame ? undefined : frame;
  return storage.getStore() === store ? fn() : storage.run(store, fn);
}
