import { callTool } from "../api/tool-call.ts";
import { guarded } from "../fault/faults.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { isLive, live, type RunFrame, stepFrame } from "../run/context.ts";
import { channelStep } from "./channel-step.ts";
import type { MessageChannel } from "./hook.ts";
import type { AnyFunction } from "./hooked-file.ts";
import { ToldChannel } from "./told-channel.ts";
import type { HookState } from "./tool-step.ts";

/** A JSON-RPC message, as an MCP transport carries it. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

type Handler = ((value?: unknown, extra?: unknown) => void) | undefined;

/** Between a client and a server: a process, an address, or what the user has written. */
interface Transport {
  start(): Promise<void>;
  send(message: Message, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: Handler;
  onclose?: Handler;
  onerror?: Handler;
}

/** The error with which a server answered a request. In a replay it is known by its name: the record keeps no classes. */
class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: unknown;
  declare readonly data: unknown;

  constructor({ code, message, data }: { code?: unknown; message?: unknown; data?: unknown }) {
    super(String(message));
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/**
 * Makes what a client exchanges with a server steps: each request with its answer, each message that the client sends, and
 * one step for all that the server sends by itself. A recording hands them to the transport; a replay serves them, and the
 * transport neither starts nor sends: no process begins, no address is called.
 */
export function watchChannel(
  { prototype }: { prototype: object },
  { isClient, isOwn }: MessageChannel,
  state: HookState,
  undos: (() => void)[],
): void {
  undos.push(
    replaceMethod<AnyFunction>(prototype, "connect", (real) => {
      return function (this: unknown, ...args) {
        const [transport] = args;
        if (state.active && !isLive())
          guarded("hook", undefined, () => {
            if (isClient(this as object) && !isOwn(transport as object)) record(transport as Transport, state);
          });
        return Reflect.apply(real, this, args);
      };
    }),
  );
}

const recorded = new WeakSet<object>();
let channels = 0;

/** Replaces three methods and three handlers on the transport itself, so that the program keeps its own object. */
function record(transport: Transport, state: HookState): void {
  if (recorded.has(transport)) return;
  recorded.add(transport);
  const { start, send, close } = transport;
  const told = new ToldChannel({ transport: transport.constructor.name, number: channels++ });
  let isClosed = false;
  const answers = new Map<unknown, (reply: Message) => void>();
  /** the transport's own work, or nothing is recorded any more */
  const isOurs = (): boolean => !state.active || isLive();
  /** the frame of a call of the program's; null: outside of every run */
  const frameOf = (): RunFrame | null => (isOurs() ? null : stepFrame());

  function received(message: unknown): void {
    const { id, method } = (message ?? {}) as Message;
    const answer = method === undefined ? answers.get(id) : undefined;
    if (answer === undefined) return told.came({ message }, program);
    answers.delete(id);
    answer(message as Message);
  }
  const program = handlersOf(transport, {
    onmessage: received,
    onclose() {
      isClosed = true;
      told.came({ closed: true }, program);
    },
    onerror: (error) => told.came({ error }, program),
  });

  const own: Pick<Transport, "start" | "send" | "close"> = {
    start() {
      const frame = frameOf();
      if (isOurs()) return start.call(transport);
      const body = (): Promise<unknown> => told.outside(frame, "connect", [], () => live(() => start.call(transport)));
      if (frame === null) return body() as Promise<void>;
      const started = channelStep(frame, "connect", [], body);
      told.begin(frame, "incoming", program);
      return started as Promise<void>;
    },
    send(message, options) {
      const frame = frameOf();
      const sent = isOurs() ? null : guarded("hook", null, () => sentOf(message));
      if (sent === null) return send.call(transport, message, options);
      if (frame !== null) told.enter(frame, program);
      if (!sent.isRequest) {
        const body = (): Promise<unknown> =>
          told.outside(frame, sent.method, sent.args, () => live(() => send.call(transport, message, options)));
        return (frame === null ? body() : channelStep(frame, sent.method, sent.args, body)) as Promise<void>;
      }
      const { id } = message;
      const ask = (): Promise<unknown> =>
        new Promise<unknown>((resolve, reject) => {
          answers.set(id, ({ result, error }) =>
            error === undefined ? resolve(result) : reject(new ServerError(error as object)),
          );
          send.call(transport, message, options).catch((error: unknown) => {
            answers.delete(id);
            reject(error as Error);
          });
        });
      const asked = request(frame, sent, () => told.outside(frame, sent.method, sent.args, () => live(ask)));
      const answered = (reply: object): void => program.onmessage?.({ jsonrpc: "2.0", id, ...reply });
      return asked.then(
        (result) => answered({ result }),
        (error: unknown) => {
          if (!isServerError(error)) throw error;
          answered({ error: errorIn(error) });
        },
      );
    },
    close() {
      const frame = frameOf();
      if (frame === null) return close.call(transport);
      const ended = channelStep(frame, "close", [], () => live(() => close.call(transport).then(() => isClosed)));
      // as without the recorder, `onclose` is called before the promise of `close` resolves
      return (ended as Promise<boolean>).then((wasTold) => (wasTold ? told.ended : undefined));
    },
  };
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(transport, name, { value, configurable: true, writable: true });
}

/**
 * Takes the places of a transport's handlers: the transport itself calls ours, the program sets and reads its own. Returns
 * those of the program, as they are at the time.
 */
function handlersOf(
  transport: Transport,
  ours: Readonly<Record<"onmessage" | "onclose" | "onerror", Handler>>,
): Pick<Transport, "onmessage" | "onclose" | "onerror"> {
  const program: Pick<Transport, "onmessage" | "onclose" | "onerror"> = {};
  for (const name of ["onmessage", "onclose", "onerror"] as const) {
    program[name] = transport[name];
    Object.defineProperty(transport, name, {
      get: () => (isLive() ? ours[name] : program[name]),
      set(handler: Handler) {
        program[name] = handler;
      },
      configurable: true,
      enumerable: true,
    });
  }
  return program;
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && error.name === "ServerError" && "code" in error;
}

function errorIn({ code, message, data }: ServerError): object {
  return { code, message, ...(data !== undefined && { data }) };
}

function request(frame: RunFrame | null, { method, args, tool }: Sent, body: () => Promise<unknown>): Promise<unknown> {
  if (frame === null) return body();
  const asked =
    tool === null
      ? channelStep(frame, method, args, body)
      : callTool(frame, { by: "hook", name: tool, args, source: null, body });
  return asked as Promise<unknown>;
}

/** Makes the calls of a function that asks a server before a client is connected steps. */
export function watchNegotiation(real: AnyFunction, state: HookState): AnyFunction {
  const watched: AnyFunction = function (...args) {
    const frame = state.active && !isLive() ? stepFrame() : null;
    const body = (): unknown => Reflect.apply(real, this, args);
    return frame === null ? body() : channelStep(frame, "negotiate", [], () => live(body));
  };
  return copyFunctionProperties(watched, real);
}

/** What is recorded of a message that the client sends. */
interface Sent {
  readonly method: string;
  readonly isRequest: boolean;
  /** name of the tool that it calls */
  readonly tool: string | null;
  /** compared; without the numbers that a client counts by itself */
  readonly args: readonly unknown[];
}

function sentOf({ id, method, params, result, error }: Message): Sent {
  if (method === undefined) {
    const args = [error === undefined ? { result } : { error }];
    return { method: "response", isRequest: false, tool: null, args };
  }
  const isRequest = id !== undefined;
  if (params === undefined) return { method, isRequest, tool: null, args: [] };
  const plain = plainParams(params);
  const { name, arguments: given = {}, ...rest } = plain;
  if (!isRequest || method !== "tools/call" || typeof name !== "string")
    return { method, isRequest, tool: null, args: [plain] };
  return { method, isRequest, tool: name, args: Object.keys(rest).length === 0 ? [given] : [given, rest] };
}

function plainParams(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { requestId: _, _meta: meta, ...rest } = params;
  if (typeof meta !== "object" || meta === null) return rest;
  const { progressToken: __, ...plain } = meta as Record<string, unknown>;
  return Object.keys(plain).length === 0 ? rest : { ...rest, _meta: plain };
}
