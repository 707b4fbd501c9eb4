import type { ChildProcess } from "node:child_process";
import { live } from "../run/context.ts";

/** What the channel of a child asks of its recorded one. */
export interface ChannelEnd {
  /** the message as a step; returns what the real channel says */
  send(message: unknown, rest: readonly unknown[]): boolean;
  disconnect(): void;
  setReferenced(isReferenced: boolean): void;
}

type Callback = (error: Error | null) => void;

/** The parts of a child with a channel, as Node puts them on it. */
interface WithChannel {
  connected: boolean;
  channel?: { ref(): void; unref(): void } | null;
  send?: (...args: unknown[]) => boolean;
  disconnect?: () => void;
}

/** The channel between a program and its recorded child, with the behaviour of Node's own. */
export class ChildChannel {
  readonly #child: ChildProcess;
  /** came while nobody listened */
  readonly #waiting: (readonly [message: unknown, handle: unknown])[] = [];

  constructor(child: ChildProcess, end: ChannelEnd) {
    this.#child = child;
    const own = child as unknown as WithChannel;
    own.connected = true;
    own.channel = { ref: () => end.setReferenced(true), unref: () => end.setReferenced(false) };
    own.send = (message, ...rest) => {
      const callback = rest.find((each) => typeof each === "function") as Callback | undefined;
      const given = rest.filter((each) => each !== callback);
      if (!own.connected) return refused(child, callback);
      const isSent = end.send(message, given);
      if (callback !== undefined) process.nextTick(callback, null);
      return isSent;
    };
    own.disconnect = () => {
      if (!own.connected)
        return void child.emit("error", channelError("ERR_IPC_DISCONNECTED", "IPC channel is already disconnected"));
      own.connected = false;
      end.disconnect();
    };
    child.on("newListener", (name) => {
      if (name === "message") process.nextTick(() => this.#flush());
    });
  }

  /** `handle`: a socket or server that came with it */
  came(message: unknown, handle: unknown): void {
    this.#waiting.push([message, handle]);
    if (this.#child.listenerCount("message") > 0) process.nextTick(() => this.#flush());
  }

  ended(): void {
    const own = this.#child as unknown as WithChannel;
    own.connected = false;
    own.channel = null;
    process.nextTick(() => this.#child.emit("disconnect"));
  }

  #flush(): void {
    for (const [message, handle] of this.#waiting.splice(0)) this.#child.emit("message", message, handle);
  }
}

function refused(child: ChildProcess, callback: Callback | undefined): false {
  const error = channelError("ERR_IPC_CHANNEL_CLOSED", "Channel closed");
  if (callback === undefined) process.nextTick(() => child.emit("error", error));
  else process.nextTick(callback, error);
  return false;
}

function channelError(code: string, message: string): Error {
  const error = live(() => new Error(message));
  return Object.defineProperty(Object.assign(error, { code }), "name", { value: "Error", configurable: true });
}
