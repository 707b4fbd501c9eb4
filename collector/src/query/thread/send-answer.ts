import type { ReadApp } from "./read-app.ts";
import { type FromReader, PIECE_BYTES, type ToReader, WINDOW } from "./read-messages.ts";

type Asked = Extract<ToReader, { is: "answer" }>;

/** Bytes of answers that wait for those who asked; above it no further answer is begun, but for one at a time. */
const MOST_HELD = 256 * 1024 ** 2;
/** Milliseconds after which one who takes nothing is given up. */
const PATIENCE = 30_000;

interface Going {
  credit: number;
  cancelled: boolean;
  wake: () => void;
}

/** Makes the answers that are asked for, `making` at a time, and sends each in small pieces, as fast as they are taken. */
export function createAnswers(
  app: ReadApp,
  { send, making }: { send: (message: FromReader, moved?: ArrayBuffer[]) => void; making: number },
): { begin(asked: Asked): Promise<void>; more(id: number): void; cancel(id: number): void } {
  const going = new Map<number, Going>();
  const turns: (() => void)[] = [];
  let made = 0;
  let held = 0;

  const next = () => {
    if (made < making && (held < MOST_HELD || made === 0)) turns.shift()?.();
  };

  async function turn(): Promise<void> {
    if (made >= making || held >= MOST_HELD || turns.length > 0) {
      const called = new Promise<void>((resolve) => turns.push(resolve));
      next();
      await called;
    }
    made++;
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
        const request = new Request(asked.url, { headers: asked.headers.map(([name, value]) => [name, value]) });
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
    } catch (error) {
      // a head that was not sent yet is none
      send({ is: "end", id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** False: nobody takes them. */
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

/** A first piece that is all there is: as its length says, or where it is so short that text of ours ends in it. */
function isWhole(first: Uint8Array, response: Response): boolean {
  if (first.length > PIECE_BYTES) return false;
  const said = response.headers.get("content-length");
  if (said !== null) return Number(said) === first.length;
  return response.headers.get("content-type")?.startsWith("application/json") === true;
}

/** Memory of its own, which can be moved. */
const ownCopy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
