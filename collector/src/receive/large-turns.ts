/** Room for large messages that are still coming. */
export interface LargeTurns {
  /** Asks for `bytes` of room; `start` is called when there is some, never before `ask` has returned. */
  ask(bytes: number, start: () => void): Turn;
  /** another message waits for a turn, so a stalled one must give its turn up */
  contended(): boolean;
}

export interface Turn {
  readonly running: boolean;
  /** Gives the room back, or takes the question back. */
  end(): void;
}

/**
 * `room`: bytes that may be under way at a time; one message always may. In the order in which they were asked for, but a
 * message that fits does not wait for a longer one before it.
 */
export function createLargeTurns(room: number): LargeTurns {
  const waiting: (Turn & { readonly begin: () => void; readonly bytes: number })[] = [];
  let used = 0;

  function next(): void {
    for (let at = 0; at < waiting.length;) {
      const turn = waiting[at]!;
      if (used > 0 && used + turn.bytes > room) {
        at++;
        continue;
      }
      waiting.splice(at, 1);
      used += turn.bytes;
      turn.begin();
    }
  }

  return {
    ask(bytes, start) {
      let state: "waiting" | "running" | "over" = "waiting";
      const turn = {
        bytes,
        get running() {
          return state === "running";
        },
        begin() {
          state = "running";
          queueMicrotask(() => {
            if (state === "running") start();
          });
        },
        end() {
          if (state === "waiting") waiting.splice(waiting.indexOf(turn), 1);
          if (state === "running") used -= bytes;
          state = "over";
          next();
        },
      };
      waiting.push(turn);
      next();
      return turn;
    },
    contended: () => waiting.length > 0,
  };
}
