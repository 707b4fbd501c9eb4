import { callerFrames } from "./caller-frames.ts";

export type LeakKind = "socket" | "dns" | "udp" | "child" | "worker" | "stdin" | "read" | "write";

export interface Leak {
  kind: LeakKind;
  target: string;
  count: number;
  /** position in the journal of the first */
  at: number;
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
      return;
    }
    if (this.#leaks.size >= 1000) return;
    this.#leaks.set(key, { kind, target, count: 1, at, scope, stack: stackOfCaller() });
  }

  list(): Leak[] {
    return [...this.#leaks.values()];
  }
}

function stackOfCaller(): string {
  return callerFrames(new Error()).slice(0, 4).join("\n").trim();
}
