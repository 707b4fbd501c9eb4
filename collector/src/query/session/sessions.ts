import { randomBytes } from "node:crypto";
import { digestKey, type Identity } from "../../receive/keys.ts";

/** Browsers that have signed in. Held in memory only: a session ends with the process, and with its key. */
export interface Sessions {
  /** Remembers a key; returns the id by which a browser names it. */
  open(key: string): string;
  /** The key of a session, or who it stands for where a login link opened it; null: there is none of this id, or it has expired. */
  keyOf(id: string): string | Identity | null;
  /** A code that signs one browser in as this identity, for whoever redeems it first, within `LINK_SECONDS`. */
  link(identity: Identity): string;
  /** Opens the session of a code, and forgets the code; null: it is used, too old or unknown. */
  redeem(code: string): { readonly id: string; readonly identity: Identity } | null;
  close(id: string): void;
}

/** Seconds from signing in to the end of a session. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** Seconds for which a login link can be used. */
export const LINK_SECONDS = 10 * 60;
/** When there are more, the oldest ends. */
const MOST = 1000;

export function createSessions({ now = Date.now } = {}): Sessions {
  const sessions = new Map<string, { readonly key: string | Identity; readonly until: number }>();
  // looked up by digest: how long that takes says nothing about a code
  const links = new Map<string, { readonly identity: Identity; readonly until: number }>();

  function open(key: string | Identity): string {
    const id = randomBytes(32).toString("base64url");
    sessions.set(id, { key, until: now() + SESSION_SECONDS * 1000 });
    if (sessions.size > MOST) sessions.delete(sessions.keys().next().value!);
    return id;
  }

  return {
    open,
    link(identity) {
      const code = randomBytes(32).toString("base64url");
      links.set(digestKey(code), { identity, until: now() + LINK_SECONDS * 1000 });
      return code;
    },
    redeem(code) {
      const digest = digestKey(code);
      const found = links.get(digest);
      links.delete(digest);
      if (found === undefined || found.until <= now()) return null;
      return { id: open(found.identity), identity: found.identity };
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
