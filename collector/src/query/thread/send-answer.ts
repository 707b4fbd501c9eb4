import type { ReadApp } from "./read-app.ts";
import { type FromReader, PIECE_BYTES, type ToReader, WINDOW } from "./read-messages.ts";

type Asked = Extract<ToReader, { is: "answer" }>;

/** Bytes of made answers that are not sent yet. Above it, only one answer is made at a time. */
const MOST_HELD = 256 * 1024 ** 2;
/** An answer of which no piece is taken for so long is given up. Milliseconds. */
const PATIENCE = 30_000;

interface Going {
  credit: number;
  cancelled: boolean;
  wake: () => void;
}

/** Makes the answers that are asked for, `making` at a time, and sends each in small pieces, as fast as the client takes them. */
export function createAnswers(
  app: ReadApp,
  { send, making }: { send: (message: FromReader, moved?: ArrayBuffer[]) => void; making: number },
): { begin(asked: Asked): Promise<void>; more(id: number): void; cancel(id: number): void } {
  const going = new Map<number, Going>();
  const turns: (() => void)[] = [];
  let made = 0;
  let held = 0;

  const mayBegin = () => made < making && (held < MOST_HELD || made === 0);
  const next = () => {
    while (turns.length > 0 && mayBegin()) {
      made++;
      turns.shift()!();
    }
  };

  /** Resolves when an answer may be made; then it counts in `made`. */
  function turn(): Promise<void> {
    const called = new Promise<void>((resolve) => turns.push(resolve));
    next();
    return called;
  }

  async function begin(asked: Asked): Promise<void> {
    const { id } = asked;
    const mine: Going = { credit: WINDOW, cancelled: false, wake: () => {} };
    going.set(id, mine);
    try {
      await turn();
      let response: Response;
      try {
        if (mine.cancelled) return;
        const request = new Request(asked.url, { headers: asked.headers });
        response = await app.fetch(request, asked.who);
      } finally {
        made--;
        next();
      }
      await sendAll(asked, response, mine);
    } catch (error) {
      send({ is: "end", id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      going.delete(id);
      next();
    }
  }

  async function sendAll({ id, head }: Asked, response: Response, mine: Going): Promise<void> {
    const { status } = response;
    const headers = [...response.headers];
    const reader = head ? null : response.body?.getReader();
    if (!reader) {
      void response.body?.cancel();
      return send({ is: "head", id, status, headers, body: new Uint8Array() });
    }
    let isFirst = true;
    try {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop
        const { value } = await reader.read();
        if (isFirst) {
          isFirst = false;
          const whole = value === undefined || isWhole(value, response);
          const body = whole ? ownCopy(value ?? new Uint8Array()) : null;
          send({ is: "head", id, status, headers, body }, body ? [body.buffer] : []);
          if (whole) return;
        }
        if (value === undefined) return send({ is: "end", id, error: null });
        held += value.length;
        try {
          // oxlint-disable-next-line no-await-in-loop
          if (!(await sendPieces(id, value, mine))) return;
        } finally {
          held -= value.length;
        }
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** False: the client has gone, or takes nothing. */
  async function sendPieces(id: number, value: Uint8Array, mine: Going): Promise<boolean> {
    for (let at = 0; at < value.length; at += PIECE_BYTES) {
      // oxlint-disable-next-line no-await-in-loop
      if (!(await mayProceed(mine))) {
        if (!mine.cancelled) send({ is: "end", id, error: "nobody takes the answer" });
        return false;
      }
      mine.credit--;
      const bytes = ownCopy(value.subarray(at, at + PIECE_BYTES));
      send({ is: "piece", id, bytes }, [bytes.buffer]);
    }
    return true;
  }

  function mayProceed(mine: Going): Promise<boolean> | boolean {
    if (mine.cancelled) return false;
    if (mine.credit > 0) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PATIENCE, false);
      mine.wake = () => {
        clearTimeout(timer);
        resolve(!mine.cancelled);
      };
    });
  }

  return {
    begin,
    more(id) {
      const mine = going.get(id);
      if (!mine) return;
      mine.credit++;
      mine.wake();
    },
    cancel(id) {
      const mine = going.get(id);
      if (!mine) return;
      mine.cancelled = true;
      mine.wake();
    },
  };
}

/** Whether the first chunk is the whole body: by `content-length`, or since JSON always comes in one chunk. */
function isWhole(first: Uint8Array, response: Response): boolean {
  if (first.length > PIECE_BYTES) return false;
  const claimed = response.headers.get("content-length");
  if (claimed !== null) return Number(claimed) === first.length;
  return response.headers.get("content-type")?.startsWith("application/json") === true;
}

/** A copy whose memory can be transferred. */
const ownCopy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
