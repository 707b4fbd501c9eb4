import type { IncomingMessage } from "node:http";
import type { PendingBytes } from "./pending-bytes.ts";
import type { StatusName } from "./status.ts";

export interface BodyLimits {
  /** bytes of a body as it comes */
  bodyBytes: number;
  /** of those that are held in memory; the others are given up to whoever has a place for them */
  memoryBytes: number;
  /** a body of at least this length is laid into one buffer of its own as it comes */
  longBytes: number;
  /** bytes per second that a sender must keep up … */
  minRate: number;
  /** … in each so many milliseconds */
  graceMs: number;
}

export type ReadBody =
  | { is: "whole"; pieces: Uint8Array[]; length: number }
  /** too large for memory; what has come, the rest still comes */
  | { is: "long"; pieces: Uint8Array[] }
  /** the sender went away */
  | { is: "gone" }
  | { is: "refused"; status: StatusName; message: string };

export interface BodyReader {
  /** Settles once. What was received is counted in `pending`; the caller takes `length` off, here nothing is left over. */
  read(request: IncomingMessage, tenant: string, mayBeLong: boolean): Promise<ReadBody>;
  close(): void;
}

interface Sender {
  /** ends a body that comes too slowly */
  look(now: number): void;
}

export function createBodyReader(limits: BodyLimits, pending: PendingBytes): BodyReader {
  const senders = new Set<Sender>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const sender of senders) sender.look(now);
  }, 1000).unref();

  function read(request: IncomingMessage, tenant: string, mayBeLong: boolean): Promise<ReadBody> {
    return new Promise((resolve) => {
      const declared = Number(request.headers["content-length"] ?? 0);
      const memory = limits.memoryBytes;
      if (mayBeLong && declared > memory) return resolve({ is: "long", pieces: [] });
      let seen = { length: 0, at: performance.now() };
      const long = declared >= limits.longBytes ? Buffer.allocUnsafeSlow(declared) : null;
      let pieces: Uint8Array[] = [];
      let length = 0;
      let open = true;

      const sender: Sender = {
        look: (now) => {
          const time = now - seen.at;
          if (time < limits.graceMs) return;
          const came = length - seen.length;
          seen = { length, at: now };
          if (came >= (time * limits.minRate) / 1000) return;
          settle({ is: "refused", status: "tooSlow", message: `${came} bytes in ${Math.round(time)} ms` });
        },
      };

      function settle(result: ReadBody): void {
        if (!open) return;
        open = false;
        senders.delete(sender);
        request.off("data", onData);
        if (result.is !== "whole") {
          pending.add(tenant, -length);
          if (result.is === "long") request.pause();
          pieces = [];
        }
        resolve(result);
      }

      function onData(piece: Buffer): void {
        pending.add(tenant, piece.length);
        if (long) long.set(piece, length);
        else pieces.push(piece);
        length += piece.length;
        if (length > memory)
          settle(mayBeLong ? { is: "long", pieces } : { is: "refused", status: "tooLarge", message: tooLong(memory) });
        else if (pending.over()) settle({ is: "refused", status: "unavailable", message: FULL });
      }

      senders.add(sender);
      request.on("data", onData);
      request.on("end", () => settle({ is: "whole", pieces: long ? [long] : pieces, length }));
      request.on("close", () => settle({ is: "gone" }));
      request.on("error", () => settle({ is: "gone" }));
    });
  }

  return { read, close: () => clearInterval(timer) };
}

export const FULL = "too much is waiting for the disk";
export const tooLong = (limit: number) => `more than ${limit} bytes`;
