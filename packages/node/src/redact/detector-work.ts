import type { MessagePort } from "node:worker_threads";
import type { Verdict } from "@reenact/redaction";

/** What the thread is started with. */
export interface DetectorWork {
  readonly port: MessagePort;
  /** counts the answers that were sent: a blocked caller waits for it to change */
  readonly answered: Int32Array;
  readonly configFile: string;
  /** for one text */
  readonly ms: number;
}

export interface DetectorQuestion {
  readonly id: number;
  readonly text: string;
}

/** What its first answer answers: the thread has begun. */
export const READY = 0;

export interface DetectorAnswer {
  readonly id: number;
  readonly verdict: Verdict;
}
