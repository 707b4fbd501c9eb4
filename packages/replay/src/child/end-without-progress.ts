import { runningThreads } from "../guard/guard-threads.ts";
import { keepsAlive } from "./keeps-alive.ts";
import type { Session } from "../session.ts";
import { watchQuiet } from "../gate/watch-quiet.ts";

/** Quarters of a second that a thread may compute without a message, at the least; else twice as long as the recorded run took. */
const THREAD_PATIENCE = 40;

/** Ends a replay whose program sleeps and is owed nothing: a handle keeps it alive, and what it waits for never comes. */
export function endWithoutProgress(session: Session): void {
  const watched = {
    get closed() {
      return session.stopped !== null;
    },
    get waits() {
      return session.waitBudget !== null;
    },
    get delivered() {
      return session.events;
    },
    get waitBudget() {
      return session.waitBudget ?? Infinity;
    },
    get waitBudgetWithThreads() {
      return session.waitBudget === null || runningThreads().length === 0
        ? Infinity
        : Math.max(THREAD_PATIENCE, 4 * 2 * session.recordedSeconds);
    },
  };
  watchQuiet(watched, () => {
    session.noProgress(`nothing is owed to the program, and it does not end: ${keepsAlive()}`);
  });
}
