import { keepsAlive } from "./keeps-alive.ts";
import type { Session } from "./session.ts";
import { watchQuiet } from "./watch-quiet.ts";

/** Ends a replay whose program sleeps and is owed nothing: a handle keeps it alive, and what it waits for never comes. */
export function endWithoutProgress(session: Session): void {
  const watched = {
    get closed() {
      return session.stopped !== null;
    },
    get waits() {
      return session.patience !== null;
    },
    get delivered() {
      return session.events;
    },
    get patience() {
      return session.patience ?? Infinity;
    },
  };
  watchQuiet(watched, () => {
    session.noProgress(`nothing is owed to the program, and it does not end: ${keepsAlive()}`);
  });
}
