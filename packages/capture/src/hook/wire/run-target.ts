import type { RunContext } from "../../run/context.ts";
import type { OutsideExchange } from "./outside-exchanges.ts";

/** The first value of the step of a server. */
export interface Opened {
  readonly opened: unknown;
  /** what was asked of the server outside of every run that is written */
  readonly outside?: readonly OutsideExchange[];
}

/**
 * What a server sends by itself, the end of a connection, that it was idle for as long as the program waits, or how a later
 * connection of the run began. `connection`: the number of the connection in its run.
 */
export type WireIncoming =
  | { readonly connection: number; readonly opened: unknown }
  | { readonly connection: number; readonly refused: unknown }
  | { readonly connection: number; readonly incoming: unknown }
  | { readonly connection: number; readonly closed: true }
  | { readonly connection: number; readonly idle: true }
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

/** Reads the step of a server for as long as its run goes on. */
export async function readTarget(
  values: AsyncIterable<unknown> | Promise<never>,
  target: RunTarget,
  begin: (opened: Opened) => void,
): Promise<void> {
  // a call without a record gives a promise that rejects
  if (values instanceof Promise) await values;
  let isFirst = true;
  for await (const value of values as AsyncIterable<unknown>) {
    if (isFirst) begin(value as Opened);
    else target.connections[(value as WireIncoming).connection]?.receive(value as WireIncoming);
    isFirst = false;
  }
}

/** The number of the connection that begins with this value of the step of a server. */
export function beganBy(value: object): number[] {
  return "connection" in value && ("opened" in value || "refused" in value) ? [value.connection as number] : [];
}
