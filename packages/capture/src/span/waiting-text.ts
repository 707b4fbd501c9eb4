import { originals } from "../patch/originals.ts";

/** While more text waits, agents are handed nothing new: they would make text faster than another thread can read it. */
const MOST_WAITING = 32 * 1024 * 1024;
/** More waits only where a program makes text without waiting for anything: the rest is read on its thread. */
const MOST_EVER = 4 * MOST_WAITING;
/** So long agents wait for a thread that answers nothing. Ms. */
const PATIENCE = 10_000;

/** Ended steps of all runs of this process that are not written yet, each with its text's length, in order. */
const waiting = new Map<object, number>();
let length = 0;
/** when a step that had waited was last written. Ms */
let progressed = 0;

export function addWaiting(step: object, size: number): void {
  if (waiting.size === 0) progressed = originals.performanceNow();
  waiting.set(step, size);
  length += size;
}

export function removeWaiting(step: object): void {
  const size = waiting.get(step);
  // most steps never wait: they say nothing of the thread, and cost nothing here
  if (size === undefined) return;
  length -= size;
  waiting.delete(step);
  progressed = originals.performanceNow();
}

/** Whether agents have to wait. The step that is being read does not count: one alone is never too much. */
export function isTextWaiting(): boolean {
  if (length <= MOST_WAITING) return false;
  const [first = 0] = waiting.values();
  return length - first > MOST_WAITING && originals.performanceNow() - progressed < PATIENCE;
}

/** Whether there is no room for a step of this size. */
export function isRoomUsedUp(size: number): boolean {
  return waiting.size > 0 && length + size > MOST_EVER;
}
