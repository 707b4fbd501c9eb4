import { callerPlace } from "../patch/caller-frames.ts";
import { timerFlow } from "../ambient/timers/timer-flow.ts";

const MOST_LEAKS = 1000;
const MOST_POSITIONS = 12;

export type LeakKind = "socket" | "dns" | "udp" | "child" | "parent" | "worker" | "addon" | "stdin" | "read" | "write";

export interface Leak {
  kind: LeakKind;
  target: string;
  count: number;
  /** position in the journal of the first */
  at: number;
  /** positions of further ones; of many the first dozen and the last */
  more?: number[];
  /** of a thread: how many connections it has asked for */
  connections?: number;
  /** it happened in the flow of a timer without an agentic step: the position where that timer was set */
  since?: number;
  /** tool step in whose body it happened; -1 outside */
  scope: number;
  /** where the program stood at the first */
  stack: string;
  /** installed package whose code did it */
  by?: string;
}

/** Outside effects and inputs of a run that no step holds, by kind and target. */
export class UnrecordedEffects {
  readonly #leaks = new Map<string, Leak>();
  readonly #threads: { key: string; connections: Int32Array }[] = [];

  add(kind: LeakKind, target: string, at: number, scope: number): void {
    const key = keyOf(kind, scope, target);
    const known = this.#leaks.get(key);
    if (known !== undefined) {
      known.count++;
      notePosition(known, at);
      return;
    }
    if (this.#leaks.size >= MOST_LEAKS) return;
    const since = timerFlow();
    const { lines, package: by } = callerPlace();
    const leak = { kind, target, count: 1, at, scope, stack: lines.join("\n").trim() };
    this.#leaks.set(key, { ...leak, ...(by === null ? {} : { by }), ...(since === undefined ? {} : { since }) });
  }

  /** A thread of the run that tells how many connections it has asked for. */
  addThread(file: string, scope: number, connections: Int32Array): void {
    if (this.#threads.length < MOST_LEAKS) this.#threads.push({ key: keyOf("worker", scope, file), connections });
  }

  list(): Leak[] {
    for (const { key, connections } of this.#threads.splice(0)) {
      const leak = this.#leaks.get(key);
      const asked = Atomics.load(connections, 0);
      if (leak !== undefined && asked > 0) leak.connections = (leak.connections ?? 0) + asked;
    }
    return [...this.#leaks.values()];
  }
}

const keyOf = (kind: LeakKind, scope: number, target: string): string => `${kind} ${scope} ${target}`;

function notePosition(leak: Leak, at: number): void {
  const more = (leak.more ??= []);
  if (at === (more.at(-1) ?? leak.at)) return;
  if (more.length > MOST_POSITIONS) more.pop();
  more.push(at);
}
