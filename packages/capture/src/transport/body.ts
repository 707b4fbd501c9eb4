import type { OpenStep } from "../span/open-step.ts";
import type { ExchangeSource } from "./exchange-source.ts";

export interface WatchedBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** the agent's own abort, synchronously in its listener */
  fail(reason: unknown): void;
}

export interface BodyEnds {
  over(): boolean;
  complete(): void;
  failed(error: unknown): void;
  cancelled(why: unknown): void;
}

/**
 * A pull-driven byte stream without a buffer: one pull of the agent is one read at the source, and a cancel reaches
 * it at once. `readAhead` is in bytes; 0 for all but refused answers.
 */
export function watchBody(step: OpenStep, source: ExchangeSource, readAhead: number, ends: BodyEnds): WatchedBody {
  let controller: ReadableByteStreamController | undefined;
  let wake: (() => void) | undefined;
  const stream = new ReadableStream(
    {
      type: "bytes",
      start(c: ReadableByteStreamController) {
        controller = c;
      },
      pull(c: ReadableByteStreamController) {
        step.run.source.gate.touch();
        return new Promise<void>((resolve, reject) => {
          wake = resolve;
          const next = (): void =>
            source.next(
              ends.over,
              (bytes) => {
                // a byte stream refuses an empty chunk, which a source of another kind may well have
                if (bytes.length === 0) return next();
                c.enqueue(bytes);
                resolve();
              },
              () => {
                ends.complete();
                c.close();
                c.byobRequest?.respond(0);
                resolve();
              },
              (error) => {
                ends.failed(error);
                reject(error);
              },
            );
          next();
        });
      },
      cancel(why: unknown) {
        if (!ends.over()) ends.cancelled(why);
      },
    },
    { highWaterMark: readAhead },
  );
  return {
    stream,
    fail(reason) {
      try {
        controller?.error(reason);
      } catch {
        // closed already
      }
      wake?.();
    },
  };
}
