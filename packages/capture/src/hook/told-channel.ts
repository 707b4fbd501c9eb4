import type { RunContext, RunFrame } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import { type Handlers, type Incoming, IncomingMessages } from "./incoming-messages.ts";
import { channelStep } from "./channel-step.ts";
import { isOutside, noteOutside, outsideExchanges } from "./wire/outside-exchanges.ts";

/**
 * What the runs that use a connection to a server are told of it. A connection may be older than a run: then the run holds, in
 * the step `connection`, what was exchanged outside of every run that is written, and what the server sends during the run.
 */
export class ToldChannel {
  readonly #target: Readonly<Record<string, string | number>>;
  readonly #key: string;
  readonly #told = new WeakSet<RunContext>();
  #current: { readonly run: RunContext; readonly incoming: IncomingMessages } | null = null;

  readonly #protocol: string;

  /** `target`: tells the connection from others; the same in a replay. `protocol`: what the operations of its steps begin with */
  constructor(target: Readonly<Record<string, string | number>>, protocol = "mcp") {
    this.#target = target;
    this.#protocol = protocol;
    this.#key = `${protocol} ${JSON.stringify(target)}`;
  }

  /** The program has been told that the connection is closed. */
  get ended(): Promise<void> | undefined {
    return this.#current?.incoming.ended;
  }

  /** A run that has not used the connection before is told of it. */
  enter(frame: RunFrame, program: Handlers): void {
    if (!this.#told.has(frame.run)) this.begin(frame, "connection", program);
  }

  begin(frame: RunFrame, name: "incoming" | "connection", program: Handlers): void {
    this.#told.add(frame.run);
    const incoming = new IncomingMessages();
    this.#current = { run: frame.run, incoming };
    const before = { outside: isOutside(frame.run) ? [] : outsideExchanges(this.#key) };
    async function* told(): AsyncGenerator<unknown, void> {
      yield before;
      yield* incoming.read();
    }
    const [args, body] = name === "incoming" ? [[], () => incoming.read()] : [[this.#target], told];
    const values = channelStep(frame, name, args, body, { protocol: this.#protocol, follows: true });
    void incoming.readBy(values as AsyncIterable<unknown>, program);
  }

  /** Gives what has come to the run that used the connection last, or at once to the program. */
  came(item: Incoming, program: Handlers): void {
    const incoming = this.#current?.incoming ?? new IncomingMessages();
    if (this.#current === null || this.#current.run.over) incoming.give(item, program);
    else incoming.add(item);
  }

  /** Runs what goes out. Outside of every run that is written, a recording notes its outcome, and a replay takes it from there. */
  async outside(
    frame: RunFrame | null,
    name: string,
    args: readonly unknown[],
    body: () => Promise<unknown>,
  ): Promise<unknown> {
    const found = recorder.isReplay ? recorder.outside?.(this.#target, name, args) : undefined;
    if (found !== undefined) return found.value;
    const value = await body();
    if (isOutside(frame?.run ?? null)) noteOutside(this.#key, { name, args, value });
    return value;
  }
}
