import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { recordedValue } from "../ambient/recorded-value.ts";
import { guarded } from "../fault/faults.ts";
import { effectFrame, live, type RunFrame } from "../run/context.ts";
import { ChildChannel } from "./child-channel.ts";
import { commandOf, type ChildCommand, type SpawnOptions, stdioOf, type StdioWord } from "./child-command.ts";
import { type ChildEvent, outputEvent, outputOf } from "./child-events.ts";
import { ChildInputs } from "./child-inputs.ts";
import { ChildReaders } from "./child-readers.ts";
import { ChildStream, realStream } from "./child-stream.ts";
import { nodeChildren } from "./node-children.ts";
import { childVariables } from "./parent-variable.ts";
import { watchWrittenFiles } from "./changed-files.ts";
import { bytesOf, chunkOf } from "./output-chunk.ts";
import { processStep } from "./process-step.ts";

export type Spawn = (this: ChildProcess, options: SpawnOptions) => number;

/** Node's native handle of a process, which a `ChildProcess` holds: what Node calls on it. */
interface Handle {
  pid?: number;
  onexit?: (code: number, signal: string) => void;
  spawn(options: SpawnOptions): number;
  kill(signal: number): number;
  ref(): void;
  unref(): void;
  hasRef(): boolean;
  close(): void;
}

/** The internals of a `ChildProcess` that this file stands on. */
interface Internals {
  _handle: Handle | null;
  _closesNeeded: number;
  _closesGot: number;
}

const internalsOf = (child: ChildProcess): Internals => child as unknown as Internals;

/** Whether this Node's children are made as this file expects. */
export function isKnown(child: ChildProcess): boolean {
  const { _handle: handle, _closesNeeded: needed } = internalsOf(child);
  return typeof handle?.spawn === "function" && typeof handle.onexit === "function" && typeof needed === "number";
}

/** children that have not ended, by their ids as the program knows them */
const running = new Map<number, RecordedChild>();
const ended = new Set<number>();
const MOST_ENDED = 10_000;
/** Bytes of output that are kept of a child: it may write more than memory holds. */
const MOST_KEPT = 64 * 1024 * 1024;

/** Whether a process id is that of a recorded child, and it has not ended; null: of none. */
export function isChildRunning(pid: number): boolean | null {
  if (running.has(pid)) return true;
  return ended.has(pid) ? false : null;
}

/** Starts a child as a step of the run. Node's own code runs over a handle of ours, so its rules for events and errors hold. */
export function spawnRecorded(child: ChildProcess, options: SpawnOptions, frame: RunFrame, real: Spawn): number {
  const stdio = stdioOf(options.stdio);
  const command = guarded("child", null, () => commandOf(options, stdio));
  if (command === null) return real.call(child, options);
  const recorded = new RecordedChild(child, { frame, command, stdio, real });
  const internals = internalsOf(child);
  const { onexit } = internals._handle ?? {};
  internals._handle = recorded.handle(options, onexit);
  // the program's own child has no pipes of Node: they are made of what comes from the real one
  const code = real.call(child, { ...options, stdio: stdio.map(() => "ignore") });
  recorded.connect();
  return code;
}

interface Start {
  readonly frame: RunFrame;
  readonly command: ChildCommand;
  readonly stdio: readonly StdioWord[];
  readonly real: Spawn;
}

/** A child of a run: the real one in a recording, the recorded one in a replay. */
class RecordedChild {
  readonly #child: ChildProcess;
  readonly #start: Start;
  readonly #readers: ChildReaders;
  #inner: ChildProcess | null = null;
  #values: AsyncIterable<unknown> | null = null;
  #streams: (ChildStream | null)[] = [];
  #channel: ChildChannel | null = null;
  /** descriptors that are being read */
  readonly #read = new Set<number>();
  #handle: Handle | null = null;
  /** what is no value of the record, by its event: sockets and servers that came with messages, bytes beyond what is kept */
  readonly #beside = new WeakMap<ChildEvent, unknown>();
  #kept = 0;

  constructor(child: ChildProcess, start: Start) {
    this.#child = child;
    this.#start = start;
    this.#readers = new ChildReaders(start.frame, start.command.name, this.#give);
  }

  handle(options: SpawnOptions, onexit: Handle["onexit"]): Handle {
    const inner = (): Handle | null => (this.#inner === null ? null : internalsOf(this.#inner)._handle);
    const handle: Handle = {
      ...(onexit !== undefined && { onexit }),
      spawn: () => this.#spawn(options, handle),
      kill: (signal) => this.#kill(signal),
      ref: () => inner()?.ref(),
      unref: () => {
        this.#readers.isServer = true;
        inner()?.unref();
      },
      hasRef: () => inner()?.hasRef() ?? true,
      close() {},
    };
    this.#handle = handle;
    return handle;
  }

  #spawn(options: SpawnOptions, handle: Handle): number {
    const { frame, command } = this.#start;
    const begin = (inner: RunFrame): unknown => live(() => this.#begin(options, inner));
    const started = processStep(frame, command.name, [command.args], begin, this.#readers.idleMs);
    if (isFailure(started)) return -(errnos[started.failed] ?? 1);
    this.#values = started as AsyncIterable<unknown>;
    const pid = recordedValue("M", () => this.#inner?.pid ?? 0);
    handle.pid = pid;
    running.set(pid, this);
    return 0;
  }

  /** Starts the real child. Throws what Node throws for options that it does not take. */
  #begin(options: SpawnOptions, frame: RunFrame): unknown {
    const ended = watchWrittenFiles(frame);
    const { ChildProcess } = nodeChildren();
    const inner = new ChildProcess();
    const stdio = Array.isArray(options.stdio) ? (options.stdio as unknown[]).map(realStream) : options.stdio;
    inner.on("error", () => {});
    const envPairs = childVariables(options, frame.run);
    const code = this.#start.real.call(inner, {
      ...options,
      ...(envPairs !== undefined && { envPairs }),
      ...(stdio !== undefined && { stdio }),
    });
    if (code !== 0) return { failed: nameOf(-code, errnos) };
    this.#inner = inner;
    this.#listen(inner, ended);
    return this.#readers.first();
  }

  #listen(inner: ChildProcess, ended: () => void): void {
    const events = this.#readers;
    inner.on("exit", (exit, signal) => {
      ended();
      events.add({ exit, signal });
    });
    inner.on("close", () => events.add(null));
    inner.on("message", (message, handle: unknown) => {
      const event = { message };
      // a handle is no value: it is handed on beside the record
      if (handle !== undefined) this.#beside.set(event, handle);
      events.add(event);
    });
    inner.on("disconnect", () => events.add({ disconnected: true }));
    for (const [fd, stream] of inner.stdio.entries())
      (stream as Socket | null | undefined)?.on("error", (error) => {
        const write = this.#streams[fd]?.currentWrite ?? null;
        events.add({ failed: fd, error, ...(write !== null && { write }) });
      });
  }

  /** Reads one chunk more: what the program does not read stays with the child. */
  #pull(fd: number): void {
    const socket = this.#socket(fd);
    if (socket === null) return;
    if (!this.#read.has(fd)) {
      this.#read.add(fd);
      socket.on("data", (bytes: Buffer) => {
        socket.pause();
        this.#readers.add(this.#outputEvent(fd, bytes));
      });
      socket.on("end", () => this.#readers.add({ ended: fd }));
    }
    socket.resume();
  }

  /** The event of bytes that have come; what is more than `MOST_KEPT` is handed on beside the record. */
  #outputEvent(fd: number, bytes: Buffer): ChildEvent {
    const before = this.#kept;
    // a zero byte is six characters in the record
    this.#kept += bytes.includes(0) ? 6 * bytes.length : bytes.length;
    if (this.#kept <= MOST_KEPT) return outputEvent(fd, chunkOf(bytes));
    const { frame, command } = this.#start;
    if (before <= MOST_KEPT)
      frame.run.lossy.push(`child: what ${command.name} wrote behind ${MOST_KEPT} bytes is not kept`);
    const event = { passed: fd, bytes: bytes.length };
    this.#beside.set(event, bytes);
    return event;
  }

  #socket(fd: number): Socket | null {
    return (this.#inner?.stdio[fd] ?? null) as Socket | null;
  }

  /** Gives the program's child its streams and its channel, and begins to tell it what comes. */
  connect(): void {
    const { stdio } = this.#start;
    const child = this.#child;
    const internals = internalsOf(child);
    this.#streams = stdio.map((word, fd) => (word === "pipe" ? this.#stream(fd) : null));
    const [stdin = null, stdout = null, stderr = null] = this.#streams;
    Object.assign(child, { stdin, stdout, stderr, stdio: [...this.#streams] });
    if (this.#values === null) {
      for (const stream of this.#streams) stream?.push(null);
      return;
    }
    for (const stream of this.#streams.slice(1)) {
      if (stream === null) continue;
      internals._closesNeeded++;
      stream.once("close", () => this.#closed());
      // as a socket of Node: the first chunk is there before anybody asks for it
      stream.read(0);
    }
    if (stdio.includes("ipc")) {
      internals._closesNeeded++;
      this.#channel = new ChildChannel(child, {
        send: (message, rest) => this.#send(message, rest),
        disconnect: () => this.#disconnect(),
        setReferenced: (isReferenced) => {
          const channel = this.#inner?.channel as { ref?(): void; unref?(): void } | null | undefined;
          if (isReferenced) channel?.ref?.();
          else channel?.unref?.();
        },
      });
    }
    this.#readers.tellFirst(this.#values);
  }

  #stream(fd: number): ChildStream {
    const { frame, command } = this.#start;
    const socket = (): Socket | null => this.#socket(fd);
    const name = fd === 0 ? `${command.name}.stdin` : `${command.name}.fd${fd}`;
    const isInput = fd === 0 || fd > 2;
    const pull = (): void => this.#pull(fd);
    const readers = this.#readers;
    const options = {
      frame,
      name,
      socket,
      written: (by: RunFrame) => readers.follow(by),
      ended: () => (readers.isServer = false),
      fails: (write: number) => readers.willFail(fd, write),
      isStarted: this.#values !== null,
      idleMs: readers.idleMs,
    };
    const input = isInput ? new ChildInputs(options) : null;
    return new ChildStream({ frame, fd, socket, pull, input });
  }

  readonly #give = (event: ChildEvent | string, lost: () => boolean): void => {
    if (typeof event === "string") return this.#lost(lost);
    const output = outputOf(event);
    if (output !== null) this.#came(output.fd, bytesOf(output.chunk));
    else if ("passed" in event) {
      const bytes = this.#beside.get(event) as Buffer | undefined;
      if (bytes === undefined) this.#lost(lost);
      else this.#came(event.passed, bytes);
    } else if ("ended" in event) this.#streams[event.ended]?.push(null);
    else if ("failed" in event) this.#streams[event.failed]?.failed(event.error as Error);
    else if ("exit" in event) this.#exited(event);
    else if ("message" in event) this.#channel?.came(event.message, this.#beside.get(event));
    else {
      this.#channel?.ended();
      this.#closed();
    }
  };

  #came(fd: number, bytes: Buffer): void {
    const stream = this.#streams[fd];
    if (stream?.destroyed === false && !stream.readableEnded) stream.push(bytes);
  }

  /** In a replay: what came could not be redacted when it was recorded, and was not kept. */
  #lost(endReplay: () => boolean): void {
    if (endReplay()) return;
    const error = new Error(
      `what ${this.#start.command.name} wrote is not in the record: it is too much, or could not be redacted in time`,
    );
    for (const stream of this.#streams.slice(1)) stream?.destroy(error);
  }

  #exited({ exit, signal }: Extract<ChildEvent, { exit: unknown }>): void {
    const { pid } = this.#child;
    this.#readers.exited();
    if (pid !== undefined && running.delete(pid) && ended.size < MOST_ENDED) ended.add(pid);
    this.#handle?.onexit?.(exit ?? 0, signal ?? "");
  }

  /** As Node counts: its own exit, each stream that is read, the channel. */
  #closed(): void {
    const internals = internalsOf(this.#child);
    if (++internals._closesGot === internals._closesNeeded)
      this.#child.emit("close", this.#child.exitCode, this.#child.signalCode);
  }

  #kill(signal: number): number {
    const handle = this.#inner === null ? null : internalsOf(this.#inner)._handle;
    return this.#use("kill", nameOf(signal, constants.signals), () =>
      handle === null ? -constants.errno.ESRCH : live(() => handle.kill(signal)),
    );
  }

  #send(message: unknown, rest: readonly unknown[]): boolean {
    const inner = this.#inner;
    return this.#use("send", message, () =>
      live(() => inner?.send?.(message as object, ...(rest as [undefined])) ?? false),
    );
  }

  /** What the program does with the child, as a step of the run whose code does it. */
  #use<T>(what: string, given: unknown, real: () => T): T {
    const frame = guarded("child", null, effectFrame);
    if (frame === null) return real();
    const done = processStep(frame, `${this.#start.command.name}.${what}`, [given], real) as T;
    this.#readers.follow(frame);
    return done;
  }

  #disconnect(): void {
    live(() => this.#inner?.disconnect());
  }
}

function isFailure(started: unknown): started is { readonly failed: string } {
  return typeof started === "object" && started !== null && "failed" in started;
}

const errnos: Readonly<Record<string, number>> = constants.errno;

function nameOf(number: number, names: Readonly<Record<string, number>>): string {
  return Object.entries(names).find(([, n]) => n === number)?.[0] ?? String(number);
}
