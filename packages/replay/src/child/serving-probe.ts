import { Server, Socket } from "node:net";
import { live } from "@reenact/capture/recorder";

/** Node has no public way to the handles themselves. */
type WithHandles = NodeJS.Process & { _getActiveHandles?(): unknown[] };
type Handle = Server | Socket;

/**
 * Tells whether a program has anything to do but to wait on its servers and on connections with them. While a probe is open these do not keep
 * the event loop alive: an empty loop, which Node tells by `beforeExit`, has no timer, no file, no work of another thread, no child.
 * The program does not get that event, and does not end.
 */
export class ServingProbe {
  readonly #idle: () => void;
  #held: readonly Handle[] = [];
  #emit: PropertyDescriptor | undefined;
  #isOpen = false;

  /** `idle`: called once the loop is empty, with the probe closed */
  constructor(idle: () => void) {
    this.#idle = idle;
  }

  /** Also looks at what the program has opened since the last call. Does nothing where no server is known. */
  open(): void {
    this.close();
    const handles = live(() => (process as WithHandles)._getActiveHandles?.() ?? []);
    if (!handles.some((each) => each instanceof Server)) return;
    this.#held = handles.filter(isServing);
    this.#isOpen = true;
    for (const each of this.#held) Reflect.apply(prototypeOf(each).unref, each, []);
    this.#emit = Object.getOwnPropertyDescriptor(process, "emit");
    const real = process.emit.bind(process) as (event: string, ...args: unknown[]) => boolean;
    const emit = (event: string, ...args: unknown[]): boolean => {
      if (event !== "beforeExit") return real(event, ...args);
      this.close();
      this.#idle();
      return true;
    };
    Object.defineProperty(process, "emit", { value: emit, configurable: true, writable: true });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#emit === undefined) Reflect.deleteProperty(process, "emit");
    else Object.defineProperty(process, "emit", this.#emit);
    for (const each of this.#held) Reflect.apply(prototypeOf(each).ref, each, []);
    this.#held = [];
  }
}

/** A connection that the program has opened itself waits for an answer, which may come from its own server. */
function isServing(handle: unknown): handle is Handle {
  if (handle instanceof Server) return true;
  return handle instanceof Socket && (handle as { readonly server?: unknown }).server instanceof Server;
}

/** The program may have methods of its own there. */
const prototypeOf = (handle: Handle): Handle => (handle instanceof Server ? Server.prototype : Socket.prototype);
