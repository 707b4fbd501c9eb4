/** Runs a function when the turn of `item` has come: at once, or in its place in the order of the run. */
export type Turn<Item> = (run: () => unknown, item: Item) => unknown;

/**
 * The turns of what waits in a queue of the library. It makes the items itself, inside the call that asks for one, and takes
 * each of them at once or when another is done with: by then other code runs, of another run, too.
 */
export class AskedTurns<Item extends object> {
  readonly #turns = new WeakMap<Item, Turn<Item>>();
  /** of the item that is being asked for and is not known yet */
  #asked: Turn<Item> | null = null;

  /** Calls `ask`. `waiting`: the newest item of the queue, behind that. */
  ask(turn: Turn<Item>, ask: () => unknown, waiting: () => Item | undefined): unknown {
    const outer = this.#asked;
    this.#asked = turn;
    try {
      return ask();
    } finally {
      const item = waiting();
      if (item !== undefined) this.made(item);
      this.#asked = outer;
    }
  }

  /** An item without a turn is the one that is being asked for. */
  made(item: Item): void {
    if (this.#asked === null || this.#turns.has(item)) return;
    this.#turns.set(item, this.#asked);
    this.#asked = null;
  }

  /** The library takes an item: `run` goes on with it. */
  take(item: Item, run: () => unknown): unknown {
    this.made(item);
    const turn = this.#turns.get(item);
    this.#turns.delete(item);
    return turn === undefined ? run() : turn(run, item);
  }
}
