import { callerFrames } from "./caller-frames.ts";
import { timerFlow } from "./timer-flow.ts";

const MOST_POSITIONS = 12;

export type LeakKind = "socket" | "dns" | "udp" | "child" | "worker" | "stdin" | "read" | "write";

export interface Leak {
  kind: LeakKind;
  target: string;
  count: number;
  /** position in the journal of the first */
  at: number;
  /** positions of further ones; of many the first dozen and the last */
  more?: number[];
  /** it happened in the flow of a timer without an agentic step: the position where that timer was set */
  since?: number;
  /** tool step in whose body it happened; -1 outside */
  scope: number;
  /** first stack, without our own frames */
  stack: string;
}

/** Outside effects and inputs of a run that no step holds, by kind and target. */
export class LeakBook {
  readonly #leaks = new Map<string, Leak>();

  add(kind: LeakKind, target: string, at: number, scope: number): void {
    const key = `${kind} ${scope} ${target}`;
    const known = this.#leaks.get(key);
    if (known !== undefined) {
      known.count++;
      notePosition(known, at);
      return;
    }
    if (this.#leaks.size >= 1000) return;
    const since = timerFlow();
    const leak = { kind, target, count: 1, at, scope, stack: stackOfCaller() };
    this.#leaks.set(key, since === undefined ? leak : { ...leak, since });
  }

  list(): Leak[] {
    return [...this.#leaks.values()];
  }
}

function notePosition(leak: Leak, at: number): void {
  const more = (leak.more ??= []);
  if (at === (more.at(-1) ?? leak.at)) return;
  if (more.length > MOST_POSITIONS) more.pop();
  more.push(at);
}

function stackOfCaller(): string {
  return callerFrames(new Error()).slice(0, 4).join("\n").trim();
}
