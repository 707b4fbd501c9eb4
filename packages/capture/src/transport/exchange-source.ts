import type { Head } from "./response.ts";

/** Where the shell gets an exchange from: the network, or a record. Every callback runs in a turn of its own. */
export interface ExchangeSource {
  /** `resolve`: of the promise that the agent has, so that a stack shows who awaits it */
  head(
    dead: () => boolean,
    ok: (head: Head) => void,
    fail: (error: unknown) => void,
    resolve?: (value: never) => void,
  ): void;
  /** one pull of the body */
  next(
    dead: () => boolean,
    chunk: (bytes: Uint8Array<ArrayBuffer>) => void,
    end: () => void,
    fail: (error: unknown) => void,
  ): void;
  /** The agent has aborted or cancelled. Never waits, never throws. */
  stop(why: unknown): void;
}
