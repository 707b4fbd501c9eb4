import { randomBytes } from "node:crypto";

/** Browsers that have signed in. Held in memory only: a session ends with the process, and with its key. */
export interface Sessions {
  /** Remembers a key; returns the id by which a browser names it. */
  open(key: string): string;
  /** The key of a session; null: there is none of this id, or it has expired. */
  keyOf(id: string): string | null;
  close(id: string): void;
}

/** Seconds from signing in to the end of a session. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** When there are more, the oldest ends. */
const MOST = 1000;

export function createSessions({ now = Date.now } = {}): Sessions {
  const sessions = new Map<string, { readonly key: string; readonly until: number }>();
  return {
    open(key) {
      const id = randomBytes(32).toString("base64url");
      sessions.set(id, { key, until: now() + SESSION_SECONDS * 1000 });
      if (sessions.size > MOST) sessions.delete(sessions.keys().next().value!);
      return id;
    },
    keyOf(id) {
      const found = sessions.get(id);
      if (found && found.until > now()) return found.key;
      sessions.delete(id);
      return null;
    },
    close: (id) => void sessions.delete(id),
  };
}
