import type { Log } from "./log.ts";

/** Closes opened resources in reverse order. A failure to close is logged, and the rest are closed. */
export class CloseStack {
  private readonly log: Log;
  private readonly open: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  private closing: Promise<void> | null = null;

  constructor(log: Log) {
    this.log = log;
  }

  add(name: string, close: () => Promise<void> | void): void {
    this.open.push({ name, close });
  }

  get isClosing(): boolean {
    return this.closing !== null;
  }

  /** Closes once; every call waits for it. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    for (let part = this.open.pop(); part; part = this.open.pop()) {
      try {
        await part.close();
        this.log("debug", "close", { part: part.name });
      } catch (error) {
        this.log("error", "close.failed", { part: part.name, error });
      }
    }
  }
}

/** Given to each step of a start. */
export interface Opening {
  readonly log: Log;
  /** takes what a step has opened */
  readonly stack: CloseStack;
  /** a part has died without which nothing can be kept */
  readonly fail: (error: Error) => void;
}

/** Answers and runs that are due are waited for so long when the collector closes, milliseconds. */
export const CLOSE_GRACE = 10_000;
