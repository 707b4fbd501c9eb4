import type { OutputChunk } from "./output-chunk.ts";

/** What comes from a child. `fd`: the descriptor of the child that it came through. */
export type ChildEvent =
  | ({ readonly stdout: OutputChunk["text"] } & Omit<OutputChunk, "text">)
  | ({ readonly stderr: OutputChunk["text"] } & Omit<OutputChunk, "text">)
  | ({ readonly fd: number; readonly output: OutputChunk["text"] } & Omit<OutputChunk, "text">)
  /** as many bytes came through that descriptor, which are not kept */
  | { readonly passed: number; readonly bytes: number }
  | { readonly ended: number }
  /** `write`: number of the write through that descriptor that failed, from 0 */
  | { readonly failed: number; readonly error: unknown; readonly write?: number }
  | { readonly exit: number | null; readonly signal: string | null }
  | { readonly message: unknown }
  | { readonly disconnected: true };

/** A queue of what has come from a child and was not yet given to the program. */
export class ChildEvents {
  #waiting: (ChildEvent | null)[] = [];
  /** taken from the queue, and not yet with the program */
  #onItsWay: ChildEvent | null = null;
  #wake: (() => void) | null = null;

  /** null: nothing follows */
  add(event: ChildEvent | null): void {
    this.#waiting.push(event);
    this.#wake?.();
    this.#wake = null;
  }

  get isEmpty(): boolean {
    return this.#onItsWay === null && this.#waiting.length === 0;
  }

  /** The program has the last event that was read. */
  arrived(): void {
    this.#onItsWay = null;
  }

  /** Takes out all that the program does not have yet. */
  drain(): (ChildEvent | null)[] {
    const all = this.#onItsWay === null ? this.#waiting : [this.#onItsWay, ...this.#waiting];
    this.#onItsWay = null;
    this.#waiting = [];
    return all;
  }

  async *read(): AsyncGenerator<ChildEvent, void> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event === null) return;
      if (event === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else {
        this.#onItsWay = event;
        yield event;
      }
    }
  }
}

export function outputEvent(fd: number, { text, ...cut }: OutputChunk): ChildEvent {
  if (fd === 1) return { stdout: text, ...cut };
  return fd === 2 ? { stderr: text, ...cut } : { fd, output: text, ...cut };
}

/** The bytes in an event; null: it is another one. */
export function outputOf(event: ChildEvent): { readonly fd: number; readonly chunk: OutputChunk } | null {
  if ("stdout" in event) return { fd: 1, chunk: { ...event, text: event.stdout } };
  if ("stderr" in event) return { fd: 2, chunk: { ...event, text: event.stderr } };
  return "output" in event ? { fd: event.fd, chunk: { ...event, text: event.output } } : null;
}
