import type { RunContext } from "../../run/context.ts";

/**
 * What a server sends by itself, the end of a connection, or how a later connection of the run began. `connection`: the number
 * of the connection in its run.
 */
export type WireIncoming =
  | { readonly connection: number; readonly opened: unknown }
  | { readonly connection: number; readonly refused: unknown }
  | { readonly connection: number; readonly incoming: unknown }
  | { readonly connection: number; readonly closed: true }
  | { readonly connection: number; readonly lost: unknown };

/** What takes what comes over a connection. */
export interface WireReceiver {
  receive(item: WireIncoming): void;
}

/** What the connections of one run to one server have in common. */
export class RunTarget {
  /** by their number in the run */
  readonly connections: WireReceiver[] = [];
  /** the first connection can be used; null: none has been made yet, or none could be */
  ready: Promise<void> | null = null;
  isReady = false;
  /** the answer with which the session of the first one began */
  opened: unknown;
  /** in a replay: the connections of which the record tells how they began; null: the step of the server was not opened yet */
  told: ReadonlySet<number> | null = null;
  readonly #waiting: WireIncoming[] = [];
  #wake: (() => void) | null = null;

  add(item: WireIncoming): void {
    this.#waiting.push(item);
    this.#wake?.();
    this.#wake = null;
  }

  /** Goes on for as long as its run. */
  async *incoming(): AsyncGenerator<WireIncoming, void> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else yield item;
    }
  }
}

const known = new WeakMap<RunContext, Map<string, RunTarget>>();

export function runTarget(run: RunContext, key: string): RunTarget {
  let targets = known.get(run);
  if (targets === undefined) known.set(run, (targets = new Map<string, RunTarget>()));
  let target = targets.get(key);
  if (target === undefined) targets.set(key, (target = new RunTarget()));
  return target;
}
