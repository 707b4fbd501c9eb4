import type { RunFrame, RunContext } from "../../run/context.ts";
import { inPlaceOf } from "../../patch/node-frames.ts";
import { originals } from "../../patch/originals.ts";
import { GatedTimer } from "./gated-timer.ts";
import { prototypeOf } from "../../patch/prototype-of.ts";

type Callback = (...args: unknown[]) => unknown;

const asTimeout = inPlaceOf("Timeout");
const asImmediate = inPlaceOf("Immediate");
const timers = new WeakMap<object, GatedTimer>();
const byNumber = new Map<number, Timeout>();
const numbers = new WeakMap<Timeout, number>();
const numbered = new WeakMap<RunContext, number>();

const timerOf = (object: object): GatedTimer => timers.get(object) as GatedTimer;

/** What `setTimeout` and `setInterval` return inside a run; it looks and behaves like Node's own. */
export class Timeout {
  readonly #frame: RunFrame;
  /** as Node's has it: stacks name the callback after it */
  _onTimeout: Callback | null;

  constructor(frame: RunFrame, callback: Callback, delay: unknown, args: unknown[], repeat: boolean) {
    this.#frame = frame;
    this._onTimeout = callback;
    const ring = (): void => {
      if (!repeat) forget(this);
      asTimeout(callback, this, args);
    };
    timers.set(this, new GatedTimer(frame, { type: "Timeout", delay, repeat, callback: ring }));
  }

  refresh(): this {
    timerOf(this).refresh();
    return this;
  }

  unref(): this {
    timerOf(this).setReferenced(false);
    return this;
  }

  ref(): this {
    timerOf(this).setReferenced(true);
    return this;
  }

  hasRef(): boolean {
    return timerOf(this).referenced;
  }

  close(): this {
    clearTimer(this);
    return this;
  }

  /** A number that `clearTimeout` takes: unique in the process, and the same in a replay of the run. */
  [Symbol.toPrimitive](): number {
    const known = numbers.get(this);
    if (known !== undefined) return known;
    const run = this.#frame.run;
    const n = (numbered.get(run) ?? 0) + 1;
    numbered.set(run, n);
    const number = (run.start.sequence + 1) * 1e9 + n;
    numbers.set(this, number);
    byNumber.set(number, this);
    return number;
  }

  [Symbol.dispose](): void {
    clearTimer(this);
  }
}

/** What `setImmediate` returns inside a run. */
export class Immediate {
  constructor(frame: RunFrame, callback: Callback, args: unknown[]) {
    timers.set(
      this,
      new GatedTimer(frame, {
        type: "Immediate",
        delay: 0,
        repeat: false,
        callback: () => asImmediate(callback, this, args),
      }),
    );
  }

  ref(): this {
    timerOf(this).setReferenced(true);
    return this;
  }

  unref(): this {
    timerOf(this).setReferenced(false);
    return this;
  }

  hasRef(): boolean {
    return timerOf(this).referenced;
  }

  [Symbol.dispose](): void {
    timerOf(this).clear();
  }
}

/** Clears a timer of ours, given as object or by its number; false if it is none. */
export function clearTimer(timer: unknown): boolean {
  const ours =
    timer instanceof Timeout
      ? timer
      : typeof timer === "number" || typeof timer === "string"
        ? byNumber.get(Number(timer))
        : undefined;
  if (ours === undefined) return false;
  ours._onTimeout = null;
  timers.get(ours)?.clear();
  forget(ours);
  return true;
}

function forget(timer: Timeout): void {
  const number = numbers.get(timer);
  if (number !== undefined) byNumber.delete(number);
}

export function clearOurImmediate(immediate: unknown): boolean {
  if (!(immediate instanceof Immediate)) return false;
  timers.get(immediate)?.clear();
  return true;
}

/** `instanceof` the classes of Node's own timers holds for ours. */
function descend(ours: object, native: object): void {
  Object.setPrototypeOf(ours, prototypeOf(native));
}

const timeout = originals.setTimeout(() => {}, 1);
originals.clearTimeout(timeout);
descend(Timeout.prototype, timeout);
const immediate = originals.setImmediate(() => {});
originals.clearImmediate(immediate);
descend(Immediate.prototype, immediate);
