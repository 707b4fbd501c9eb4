import { AsyncLocalStorage } from "node:async_hooks";
import { fault } from "../fault/faults.ts";
import { processFrame, type RunContext, type RunFrame, within } from "../run/context.ts";
import { type ChildEvent, ChildEvents } from "./child-events.ts";
import { recorder } from "../run/recorder.ts";
import { endReplay, yieldsOf } from "../span/generator-step.ts";
import { processStep } from "./process-step.ts";

/** Takes what comes from a child into a step of a run. */
interface Reader {
  readonly frame: RunFrame;
  readonly events: ChildEvents;
  /** its run is over: what it has not given to the program is another's */
  isLeft: boolean;
  /** in a replay: the recorded failures of writes; null: not looked for yet */
  failures: readonly FailedWrite[] | null;
  /** what its step yields */
  values: object | null;
}

type FailedWrite = Extract<ChildEvent, { failed: unknown }>;

/** A child that the program writes to is a server of its own, which waits for more; any other one has work to do. */
const IDLE_SERVER_MS = 1000;
const IDLE_WORK_MS = 30_000;

/** `lost`: what came is not in the record. Returns whether that ends the replay. */
type Give = (event: ChildEvent | string, lost: () => boolean) => void;

/**
 * The steps that hold what comes from a child, which a program may start in one run and use in others. What comes belongs to the
 * code that last wrote to the child, or sent it a message or a signal; once its run is over, to the run of the process or to
 * another one that has used the child. What comes when all of them are over is not recorded. The program gets all in the order
 * in which it came.
 */
export class ChildReaders {
  readonly #name: string;
  readonly #give: Give;
  readonly #inContext = AsyncLocalStorage.snapshot();
  readonly #first: Reader;
  #readers: Reader[] = [];
  /** of the code that used the child last */
  #latest: Reader;
  /** takes what comes: the latest, as soon as the one before has given everything to the program */
  #current: Reader;
  #isServer = false;
  #hasExited = false;
  #hasClosed = false;

  constructor(frame: RunFrame, name: string, give: Give) {
    this.#name = name;
    this.#give = give;
    this.#first = this.#latest = this.#current = this.#newReader(frame);
  }

  /** What comes, for the step that starts the child. */
  first(): AsyncGenerator<ChildEvent, void> {
    return this.#first.events.read();
  }

  /** `values`: what that step yields. */
  tellFirst(values: AsyncIterable<unknown>): void {
    this.#first.values = values;
    void this.#tell(this.#first, values);
  }

  /** null: nothing follows */
  add(event: ChildEvent | null): void {
    if (event === null) {
      this.#hasClosed = true;
      for (const { events } of this.#readers) events.add(null);
      return;
    }
    if (this.#current.events.isEmpty) this.#current = this.#latest;
    if (this.#current.isLeft || this.#hasClosed) this.#tellLater(event, null);
    else this.#current.events.add(event);
  }

  /** How long a run that has answered waits for the child. */
  readonly idleMs = (): number => (this.#isServer ? IDLE_SERVER_MS : IDLE_WORK_MS);

  /** Whether the program will ask the child for more, or does not wait for its end. */
  set isServer(isServer: boolean) {
    this.#isServer = isServer;
  }

  /** The code of this frame has asked something of the child. */
  follow(frame: RunFrame): void {
    this.#isServer = true;
    if (this.#hasExited || this.#isOf(frame, this.#latest)) return;
    this.#noteSharing(frame.run);
    const known = this.#readers.find((each) => this.#isOf(frame, each));
    if (known === undefined) this.#open(frame);
    else this.#latest = known;
  }

  /** The program knows that the child has ended. */
  exited(): void {
    this.#hasExited = true;
  }

  /** What comes for one of several runs that wait for the child cannot be told from what comes for another. */
  #noteSharing(run: RunContext): void {
    const around = processFrame()?.run;
    const waiting = this.#readers
      .map((each) => each.frame.run)
      .filter((each) => each !== around && each.answered === null);
    if (run === around || waiting.every((each) => each === run)) return;
    const line = `child: ${this.#name} was used by several runs at the same time`;
    for (const each of [run, ...waiting]) if (!each.lossy.includes(line)) each.lossy.push(line);
  }

  /** In the run that started the child one step holds all; in another one a tool, whose body does not run in a replay, has its own. */
  #isOf(frame: RunFrame, reader: Reader): boolean {
    return reader.frame.run === frame.run && (reader === this.#first || reader.frame.scope === frame.scope);
  }

  /** In a replay: whether the record says that this write through this descriptor failed. */
  willFail(fd: number, write: number): boolean {
    return this.#readers.some((reader) => {
      if (reader.values === null) return false;
      reader.failures ??= (yieldsOf(reader.values) ?? []).filter(isFailedWrite);
      return reader.failures.some((each) => each.failed === fd && each.write === write);
    });
  }

  #newReader(frame: RunFrame): Reader {
    const reader: Reader = { frame, events: new ChildEvents(), isLeft: false, failures: null, values: null };
    this.#readers.push(reader);
    frame.run.ending.add(this.#leave);
    return reader;
  }

  #open(frame: RunFrame): void {
    const reader = this.#newReader(frame);
    this.#latest = reader;
    let values: unknown;
    try {
      values = processStep(frame, `${this.#name}.events`, [], () => reader.events.read(), this.idleMs);
    } catch (error) {
      // in a replay: the recorded run did not use the child here, which the report says; nothing comes
      if (!recorder.isReplay) fault("child", error);
      return;
    }
    reader.values = values as AsyncIterable<unknown>;
    void this.#tell(reader, values as AsyncIterable<unknown>);
  }

  /** Before a run ends: what comes from then on belongs to another. */
  readonly #leave = (run: RunContext): void => {
    const left = this.#readers.filter(({ frame }) => frame.run === run);
    this.#readers = this.#readers.filter(({ frame }) => frame.run !== run);
    for (const reader of left) reader.isLeft = true;
    if (!this.#latest.isLeft) {
      if (this.#current.isLeft) this.#current = this.#latest;
    } else {
      const around = processFrame();
      if (around !== null && around.run !== run) this.follow(around);
      else this.#latest = this.#readers.at(-1) ?? this.#latest;
      this.#current = this.#latest;
    }
    for (const event of left.flatMap(({ events }) => events.drain())) if (event !== null) this.add(event);
  };

  async #tell(reader: Reader, values: AsyncIterable<unknown>): Promise<void> {
    for await (const value of values) {
      // it was handed to another reader
      if (reader.isLeft && !recorder.isReplay) return;
      reader.events.arrived();
      this.#tellLater(value as ChildEvent | string, reader.frame, () => endReplay(values));
    }
    reader.frame.run.ending.delete(this.#leave);
  }

  /** From a frame of its own, as from a handle of Node: an error of a listener is uncaught, and ticks come before promises. */
  #tellLater(event: ChildEvent | string, frame: RunFrame | null, lost = (): boolean => false): void {
    const give = (): void => this.#give(event, lost);
    process.nextTick(() => this.#inContext(frame === null ? give : () => within(frame, give)));
  }
}

function isFailedWrite(event: unknown): event is FailedWrite {
  return typeof event === "object" && event !== null && "write" in event;
}
