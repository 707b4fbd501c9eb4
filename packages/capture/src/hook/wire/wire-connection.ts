import { AsyncLocalStorage } from "node:async_hooks";
import { orderPromise } from "../../ambient/operations/ordered-operations.ts";
import { leaked } from "../../leaks/leaked.ts";
import { live, type RunFrame, within } from "../../run/context.ts";
import { recorder } from "../../run/recorder.ts";
import { yieldsOf } from "../../span/generator-step.ts";
import { connectionStep } from "../connection-step.ts";
import type { HookState } from "../tool-step.ts";
import { failedAnswer, isWireClosed, isWireIdle, LiveWire, sayFault } from "./live-wire.ts";
import { isOutside, noteOutside, outsideExchanges } from "./outside-exchanges.ts";
import {
  beganBy,
  type Opened,
  readTarget,
  type RunTarget,
  runTarget,
  type WireIncoming,
  type WireReceiver,
} from "./run-target.ts";
import { UnreadBytes } from "./unread-bytes.ts";
import type { AttachedWire, WireDriver, WireRequest, WireSession } from "./wire-driver.ts";
import { type WireEnd, type WireStream, type WireWriter, wireWriter } from "./wire-stream.ts";

interface WireParts {
  readonly driver: WireDriver;
  readonly state: HookState;
  readonly stream: WireStream;
  readonly session: WireSession;
  readonly attached: AttachedWire;
}

/** What a server, or the time, does to a connection. */
type ByItself = { incoming: unknown } | { closed: true } | { lost: unknown } | { idle: true };

/** An answer that the program gets after the answers before it. */
interface Slot {
  readonly request: WireRequest;
  bytes: Buffer | null;
}

/**
 * One connection of a program to a server. What goes over it inside a run are steps: one for the server (its session, and what
 * it sends by itself), one for each request. A recording hands them to the real connection; a replay opens none. A connection
 * that was opened before a run is told in each run that uses it, where it is used first, so that a replay can begin there.
 */
export class WireConnection implements WireEnd, WireReceiver {
  readonly #driver: WireDriver;
  readonly #state: HookState;
  readonly #stream: WireStream;
  readonly #session: WireSession;
  readonly #wire: LiveWire;
  /** events that tell the program that it is connected; null: its first request opens the session */
  readonly #connects: readonly string[] | null;
  /** the server, as the session that is opened sees it */
  #target: Readonly<Record<string, string | number>>;
  #opening: WireRequest | null = null;
  /** the async context of the code that connected, in which a socket would say that it is connected */
  #context: (fn: () => void) => void = (fn) => fn();
  readonly #slots: Slot[] = [];
  readonly #unsent = new UnreadBytes();
  /** requests wait for this: the run has not been told of the connection yet */
  #entering: Promise<void> | null = null;
  #opened: unknown;
  #isOpen = false;
  #isRaw = false;
  /** what is written without a record, one after another */
  #raw = Promise.resolve();
  #isEnded = false;
  /** the run that used the connection last */
  #latest: { readonly frame: RunFrame; readonly target: RunTarget; readonly number: number } | null = null;

  constructor({ driver, state, stream, session, attached }: WireParts) {
    this.#driver = driver;
    this.#state = state;
    this.#stream = stream;
    this.#session = session;
    this.#target = attached.target;
    this.#connects = attached.connects ?? null;
    this.#wire = new LiveWire(attached, this.#session, {
      incoming: (value, bytes) => this.#cameByItself({ incoming: value }, () => this.#push(bytes)),
      handshake: (bytes) => this.#push(bytes),
      closed: (error) =>
        this.#cameByItself(error === null ? { closed: true } : { lost: error }, () => this.#close(error)),
      idle: () => this.#cameByItself({ idle: true }, () => this.#timeOut()),
      unreadable: (bytes) => {
        void this.#goRaw();
        this.#push(bytes);
      },
    });
  }

  connect(): void {
    if (this.#connects !== null) {
      if (this.#stream.destroyed) return;
      const { frame } = wireWriter();
      this.#context = AsyncLocalStorage.snapshot();
      return this.#open({ kind: "open", name: "connect", args: [], bytes: Buffer.alloc(0) }, frame);
    }
    // drivers of this kind write first: the real connection is made with that
    process.nextTick(() => {
      this.#stream.connecting = false;
      this.#stream.emit("connect");
    });
  }

  write(chunk: Buffer, writer: WireWriter): Promise<void> | undefined {
    if (this.#isRaw) return this.#writeRaw(chunk);
    this.#unsent.add(chunk);
    try {
      let taken: Promise<void> | undefined;
      for (const request of this.#session.write(chunk)) {
        this.#unsent.drop(request.bytes.length);
        taken = this.#take(request, this.#asker(writer)) ?? taken;
        if (this.#isRaw) break;
      }
      return taken;
    } catch (error) {
      sayFault(error);
      return this.#goRaw();
    }
  }

  /** Resolves once the connection is closed, in a turn that a replay gives in the same place. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await orderPromise(() => (recorder.isReplay ? Promise.resolve() : this.#wire.end()))();
  }

  destroy(): void {
    this.#isEnded = true;
    live(() => this.#wire.destroy());
  }

  setReferenced(isReferenced: boolean): void {
    live(() => this.#wire.setReferenced(isReferenced));
  }

  setTimeout(ms: number): void {
    if (!recorder.isReplay) live(() => this.#wire.setTimeout(ms));
  }

  /** Of the step of the server, in its turn. */
  receive(item: WireIncoming): void {
    const request = this.#opening as WireRequest;
    if ("idle" in item) this.#timeOut();
    else if ("incoming" in item) this.#push(this.#session.encode(item.incoming, null));
    else if ("opened" in item) this.#begin(item, request);
    else if ("refused" in item) this.#refused(item.refused, request);
    else this.#close("lost" in item ? (item.lost as Error) : null);
  }

  #take(request: WireRequest, asker: WireWriter): Promise<void> | undefined {
    switch (request.kind) {
      case "open":
        this.#open(request, asker.frame);
        return undefined;
      case "call":
        this.#call(request, asker);
        return undefined;
      case "withheld":
        return undefined;
      case "end":
      case "part":
        this.#isEnded ||= request.kind === "end";
        return recorder.isReplay ? undefined : live(() => this.#wire.write(request.bytes));
      case "unknown":
        return this.#goRaw(request.bytes);
    }
  }

  #open(request: WireRequest, frame: RunFrame | null): void {
    this.#target = { ...this.#target, ...request.target };
    this.#opening = request;
    const opening = (): Promise<Opened> => live(() => this.#openLive(request));
    const refused = (error: unknown): void => this.#refused(error, request);
    if (frame === null)
      return void opening()
        .then((opened) => this.#begin(opened, request))
        .catch(refused);
    const target = runTarget(frame.run, this.#key);
    const number = target.connections.push(this) - 1;
    this.#latest = { frame, target, number };
    if (target.ready === null) return void this.#beginTarget(frame, target, request, opening).catch(refused);
    if (!recorder.isReplay)
      return void opening().then(
        ({ opened }) => target.add({ connection: number, opened }),
        (error: unknown) => target.add({ connection: number, refused: error }),
      );
    if (target.told?.has(number) === true) return;
    // the recorded run was given one that was there: so is this one, and what waits for it has its own place
    target.ready.then(() => this.#begin({ opened: target.opened }, request)).catch(refused);
  }

  get #op(): string {
    return `db:${this.#driver.system}`;
  }

  get #key(): string {
    return `${this.#driver.system} ${JSON.stringify(this.#target)}`;
  }

  async #openLive(request: WireRequest): Promise<Opened> {
    if (recorder.isReplay) return { opened: await this.#answerOutside(request) };
    await this.#wire.open();
    return { opened: this.#connects === null ? await this.#wire.ask(request) : this.#wire.openedFor(request) };
  }

  /** The program reads why, and then the end of the connection. */
  #refused(error: unknown, request: WireRequest): void {
    if (isWireIdle(error)) return this.#timeOut();
    const failed = failedAnswer(error);
    if (failed === undefined) return this.#fail(error);
    this.#push(this.#wire.bytesOf(request) ?? this.#session.encode(failed.answer, request));
    this.#close(null);
  }

  /** Makes the server a step of the run. Resolves once the connection can be used. */
  #beginTarget(
    frame: RunFrame,
    target: RunTarget,
    request: WireRequest | null,
    opening: () => Promise<Opened>,
  ): Promise<void> {
    const args = [{ ...this.#target }];
    async function* follow(): AsyncGenerator<unknown, void> {
      yield await opening();
      yield* target.incoming();
    }
    const step = { kind: "DB", name: "connect", op: this.#op, args, follows: true } as const;
    const values = connectionStep(frame, step, follow) as AsyncIterable<unknown> | Promise<never>;
    target.told = new Set((yieldsOf(values) ?? []).flatMap((value) => beganBy(value as object)));
    const ready = new Promise<void>((resolve, reject) => {
      const begin = (opened: Opened): void => {
        target.opened = opened.opened;
        target.isReady = true;
        this.#begin(opened, request);
        resolve();
      };
      void readTarget(values, target, begin).catch((error: unknown) => {
        target.ready = null;
        reject(error as Error);
      });
    });
    target.ready = ready;
    return ready;
  }

  #begin({ opened }: Opened, request: WireRequest | null): void {
    if (this.#isOpen || request === null) return;
    this.#isOpen = true;
    this.#opened = opened;
    if (this.#connects !== null) this.#connected(this.#connects);
    if (opened !== null) this.#push(this.#wire.bytesOf(request) ?? this.#session.encode(opened, request));
  }

  #connected(events: readonly string[]): void {
    if (this.#stream.destroyed) return;
    this.#stream.connecting = false;
    this.#context(() => {
      for (const event of events) this.#stream.emit(event);
    });
  }

  #timeOut(): void {
    if (!this.#stream.destroyed) this.#stream.emit("timeout");
  }

  /** Tells the run of a connection that is older than it. null: the run knows it. */
  #enter(frame: RunFrame): Promise<void> | null {
    const target = runTarget(frame.run, this.#key);
    let number = target.connections.indexOf(this);
    const isKnown = number !== -1;
    if (!isKnown) number = target.connections.push(this) - 1;
    this.#latest = { frame, target, number };
    if (isKnown) return null;
    if (target.ready !== null) return target.isReady ? null : target.ready;
    const outside = isOutside(frame.run) ? [] : outsideExchanges(this.#key);
    const opened = { opened: this.#opened, ...(outside.length > 0 && { outside }) };
    return this.#beginTarget(frame, target, null, () => Promise.resolve(opened));
  }

  #call(request: WireRequest, asker: WireWriter): void {
    const entering = asker.frame === null ? null : this.#enter(asker.frame);
    const ask = (): void => this.#ask(asker, request);
    const before = this.#entering ?? entering;
    if (before === null) return ask();
    const entered = Promise.all([before, entering]).then(ask, this.#fail);
    this.#entering = entered;
    void entered.then(() => {
      if (this.#entering === entered) this.#entering = null;
    });
  }

  #ask({ frame, isOwn }: WireWriter, request: WireRequest): void {
    const slot: Slot = { request, bytes: null };
    this.#slots.push(slot);
    const body = async (): Promise<unknown> => {
      if (recorder.isReplay) return this.#answerOutside(request);
      const answer = request.answered === undefined ? this.#wire.ask(request) : Promise.resolve(request.answered.value);
      if (!isOwn && isOutside(frame?.run ?? null)) await this.#noteOutside(request, answer);
      return answer;
    };
    const answer =
      frame === null
        ? live(body)
        : (connectionStep(frame, { kind: "DB", name: request.name, op: this.#op, args: request.args }, () =>
            live(body),
          ) as Promise<unknown>);
    const give = (value: unknown): void => {
      if (this.#isRaw) return;
      slot.bytes = this.#wire.bytesOf(request) ?? this.#session.encode(value, request);
      for (let [next] = this.#slots; next !== undefined && next.bytes !== null; [next] = this.#slots) {
        this.#slots.shift();
        this.#push(next.bytes);
      }
    };
    const giveFailed = (error: unknown): void => {
      const failed = failedAnswer(error);
      if (failed === undefined) this.#fail(error);
      else give(failed.answer);
    };
    void answer.then(give, giveFailed).catch(this.#fail);
  }

  /** Keeps the answer of the server, also one that says that it did not do it. */
  async #noteOutside({ name, args }: WireRequest, answer: Promise<unknown>): Promise<void> {
    const value = await answer.catch((error: unknown) => {
      const failed = failedAnswer(error);
      if (failed === undefined) throw error;
      return failed.answer;
    });
    noteOutside(this.#key, { name, args, value });
  }

  /** In a replay: what the server answered to this outside of the recorded runs. Throws where no run tells. */
  #answerOutside({ name, args }: WireRequest): unknown {
    const found = recorder.outside?.(this.#target, name, args);
    if (found !== undefined) return found.value;
    throw new Error(`no record of ${this.#driver.system} ${name}, which no run makes, is at hand`);
  }

  /** who asks; a request is a step in the frame of that code */
  #asker({ frame, isOwn }: WireWriter): WireWriter {
    return { frame: this.#state.active && frame?.run.over === false ? frame : null, isOwn };
  }

  /** Gives it to the run that used the connection last, in a turn of its own; without one at once. */
  #cameByItself(item: ByItself, now: () => void): void {
    if (this.#isRaw) return now();
    // what the program asks for itself, its end or the session, tells it
    if (this.#isEnded || !this.#isOpen) return;
    const latest = this.#latest;
    if (latest === null || latest.frame.run.over) return now();
    latest.target.add({ ...item, connection: latest.number });
  }

  readonly #fail = (error: unknown): void => this.#close(isWireClosed(error) ? null : (error as Error));

  #close(error: Error | null): void {
    if (error === null) this.#stream.push(null);
    this.#stream.destroy(error ?? undefined);
  }

  #push(bytes: Buffer): void {
    if (bytes.length > 0 && !this.#stream.destroyed) this.#stream.push(bytes);
  }

  /** From here on the connection goes on without a record. `request`: what cannot be read, before the rest of what was written */
  #goRaw(request: Buffer = Buffer.alloc(0)): Promise<void> | undefined {
    if (this.#isRaw) return undefined;
    this.#isRaw = true;
    const where = String(this.#target["path"] ?? `${this.#target["host"]}:${this.#target["port"]}`);
    // what is read comes outside of every run
    if (this.#latest === null) leaked("socket", where);
    else within(this.#latest.frame, () => leaked("socket", where));
    for (const slot of this.#slots.splice(0))
      this.#push(slot.bytes ?? this.#wire.bytesOf(slot.request) ?? Buffer.alloc(0));
    this.#wire.goRaw();
    const unsent = Buffer.concat([request, this.#unsent.take()]);
    return unsent.length === 0 ? undefined : this.#writeRaw(unsent);
  }

  #writeRaw(bytes: Buffer): Promise<void> {
    this.#raw = this.#raw.then(() =>
      live(async () => {
        await this.#wire.open();
        await this.#wire.write(bytes);
      }).catch(this.#fail),
    );
    return this.#raw;
  }
}
