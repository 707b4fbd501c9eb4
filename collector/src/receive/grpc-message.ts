import type { ServerHttp2Stream } from "node:http2";
import { type HeldMessage, holdInFile, holdInMemory } from "./held-message.ts";
import type { LargeTurns, Turn } from "./large-turns.ts";
import type { PendingBytes } from "./pending-bytes.ts";
import { FULL, tooLong } from "./read-body.ts";
import { type Refusal, refused } from "./status.ts";

/** The message of a call as it came, without its prefix. `release`: to be called once when it is answered. */
export type GrpcMessage =
  | { is: "whole"; bytes: Buffer; compressed: boolean; release: () => void }
  /** the caller went away */
  | { is: "gone" }
  | Refusal;

export interface MessageLimits {
  /** of one message, as it comes */
  readonly bodyBytes: number;
  /** bytes per second that a caller must keep up, in each `graceMs` */
  readonly minRate: number;
  readonly graceMs: number;
  /** a large message waits so long for its turn, milliseconds */
  readonly waitMs: number;
  /** for long messages while they come; null: all are held in memory */
  readonly folder: string | null;
}

export interface MessageReader {
  /**
   * Reads the one message that a unary call has; `stop` ends that. `account` is told of bytes that came, and, with a negative
   * number, of those that are let go. Never rejects.
   */
  read(stream: ServerHttp2Stream, account: (bytes: number) => void, stop: AbortSignal): Promise<GrpcMessage>;
  close(): void;
}

const PREFIX = 5;
/** A longer message is read when it is its turn; until then HTTP/2 holds the rest of it back at its sender. */
const LARGE = 256 * 1024;
/** A longer one comes into a file. */
const LONG = 8 * 2 ** 20;
/** of messages that take no turn and are not whole, all together */
const SMALL_UNFINISHED = 16 * 2 ** 20;
const TICK_MS = 1000;
/** The least bytes per second of a large message while others wait; a slower one loses its turn at the second check. */
const CONTENDED_RATE = 512 * 1024;

/**
 * What a message's prefix says of its size decides before more of it is read. Its bytes are counted as they come; of large
 * messages only as many come at a time as `turns` has room for.
 */
export function createMessageReader(
  limits: MessageLimits,
  pending: Pick<PendingBytes, "over">,
  turns: LargeTurns,
): MessageReader {
  const looks = new Set<(now: number) => void>();
  let unfinished = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (const look of looks) look(now);
  }, TICK_MS).unref();

  function read(stream: ServerHttp2Stream, account: (bytes: number) => void, stop: AbortSignal): Promise<GrpcMessage> {
    return new Promise((resolve) => {
      const began = performance.now();
      let head: Buffer = Buffer.alloc(0);
      let size: number | null = null;
      /** null: the size is not known, or it is not its turn */
      let held: HeldMessage | null = null;
      /** what came with the prefix of a message whose turn it is not */
      let early: Buffer[] = [];
      let turn: Turn | null = null;
      let length = 0;
      let seen = { length: 0, at: began };
      let slow = 0;
      let open = true;

      function look(now: number): void {
        if (turn !== null && !turn.running) {
          if (now - began > limits.waitMs) settle(refused("unavailable", "other large messages are under way"));
          return;
        }
        const time = now - seen.at;
        const came = length - seen.length;
        const contended = turn !== null && turns.contended();
        if (!contended && time < limits.graceMs) return;
        seen = { length, at: now };
        slow = contended && came < (CONTENDED_RATE * time) / 1000 ? slow + 1 : 0;
        if (slow >= 2) settle(refused("unavailable", "it comes too slowly while others wait"));
        else if (!contended && came < (limits.minRate * time) / 1000)
          settle(refused("tooSlow", `${came} bytes in ${Math.round(time)} ms`));
      }

      function settle(result: GrpcMessage): void {
        if (!open) return;
        open = false;
        looks.delete(look);
        stream.off("data", onData);
        if (turn === null) unfinished -= length;
        held?.drop();
        held = null;
        early = [];
        if (result.is !== "whole") release();
        resolve(result);
      }

      const release = once(() => {
        account(-length);
        turn?.end();
      });

      function begin(): void {
        size = head.readUInt32BE(1);
        if (head[0]! > 1) return settle(refused("badFrame", "the first byte of a message must be 0 or 1"));
        if (size > limits.bodyBytes) return settle(refused("tooLarge", tooLong(limits.bodyBytes)));
        if (size <= LARGE) {
          held = holdInMemory(size);
          return;
        }
        stream.pause();
        turn = turns.ask(
          size,
          () => void takeTurn(size!).catch(() => settle(refused("unavailable", "the disk fails"))),
        );
      }

      async function takeTurn(bytes: number): Promise<void> {
        if (!open) return;
        const { folder } = limits;
        const holder = folder === null || bytes <= LONG ? holdInMemory(bytes) : await holdInFile(bytes, folder);
        if (!open) return holder.drop();
        held = holder;
        seen = { length, at: performance.now() };
        for (const piece of early.splice(0)) {
          const full = put(piece);
          if (full !== null) await full;
        }
        stream.resume();
      }

      /** A promise: nothing more may come before it resolves. */
      function put(piece: Buffer): Promise<void> | null {
        if (!open || piece.length === 0) return null;
        if (held === null) {
          early.push(piece);
          return null;
        }
        if (piece.length > size! - length) {
          settle(refused("badFrame", "more than one message"));
          return null;
        }
        length += piece.length;
        account(piece.length);
        if (turn === null) unfinished += piece.length;
        if (!pending.over() && unfinished <= SMALL_UNFINISHED) return held.put(piece);
        settle(refused("unavailable", FULL));
        return null;
      }

      function onData(piece: Buffer): void {
        let rest = piece;
        if (size === null) {
          const missing = PREFIX - head.length;
          head = Buffer.concat([head, piece.subarray(0, missing)]);
          if (head.length < PREFIX) return;
          begin();
          rest = piece.subarray(missing);
        }
        const full = put(rest);
        if (full === null) return;
        stream.pause();
        full.then(
          () => stream.resume(),
          () => settle(refused("unavailable", "the disk fails")),
        );
      }

      async function end(): Promise<void> {
        if (size === null || held === null) return settle(refused("badFrame", "the call has no whole message"));
        if (length < size) return settle(refused("badFrame", `a message of ${size} bytes ends at ${length}`));
        looks.delete(look);
        const bytes = await held.whole();
        settle({ is: "whole", bytes, compressed: head[0] === 1, release });
      }

      looks.add(look);
      stream.on("data", onData);
      stream.on("end", () => void end().catch(() => settle(refused("unavailable", "the disk fails"))));
      for (const event of ["close", "aborted", "error"]) stream.on(event, () => settle({ is: "gone" }));
      const late = () => settle(refused("tooSlow", "the deadline of the call is over"));
      stop.addEventListener("abort", late, { once: true });
    });
  }

  return { read, close: () => clearInterval(timer) };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
