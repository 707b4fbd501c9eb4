import type http from "node:http";
import { encodeValue } from "@reenact/envelope";
import { owedTimers } from "../ambient/timers/owed-timers.ts";
import { isInProcess, isOutside, within } from "../run/context.ts";
import { withRoom } from "../patch/stack-room.ts";
import { guarded } from "../fault/faults.ts";
import { epochNow } from "../patch/originals.ts";
import { recorder } from "../run/recorder.ts";
import type { Run } from "../run/run.ts";
import type { RunEnd } from "../run/run-start.ts";
import { whenQuiet } from "../run/when-quiet.ts";
import { listeningServers } from "../transport/own-ports.ts";
import { inboundRun } from "./inbound-run.ts";
import { CollectedBody } from "./collected-body.ts";
import { bodyValue, headerValues, type HeaderValues, type RequestValue, type ResponseValue } from "./message-value.ts";

/**
 * A run whose response is finished ends once nothing of it has happened for so long, in ms: shortly behind the response, since a server
 * that is stopped by hand right after it ends without a word; and later where a timer of it is to fire.
 */
const QUIET_MS = 250;
const QUIET_WITH_TIMERS_MS = 5000;
/** In a replay nothing but the program itself takes time. */
const QUIET_REPLAYED_MS = 1000;

/** Headers that Node or the connection makes, which say nothing of what the program answered. */
const OF_THE_CONNECTION = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/**
 * One request that a server of this process got: a run that is written if an agentic step is taken in its async context. Both
 * bodies are copied as they go by; nothing is read ahead, and no listener is added.
 */
export class InboundRequest {
  readonly run: Run;
  readonly #request: http.IncomingMessage;
  readonly #response: http.ServerResponse;
  readonly #asked: CollectedBody;
  readonly #answered: CollectedBody;
  #isClosed = false;
  #knownInput: string | null = null;

  constructor(request: http.IncomingMessage, response: http.ServerResponse) {
    this.#request = request;
    this.#response = response;
    const { method = "GET", url = "/" } = request;
    this.run = inboundRun({
      trigger: "request",
      name: `${method} ${pathOf(url)}`,
      input: () => this.#input(),
      activated: () => {
        if (this.#isClosed) guarded("request", undefined, () => this.#endWhenQuiet());
      },
    });
    const isActive = (): boolean => this.run.isActive;
    this.#asked = new CollectedBody(isActive);
    this.#answered = new CollectedBody(isActive);
    if (hasBody(request)) this.#watchBody();
    this.#watchResponse();
    this.#keepContext(request);
    this.#keepContext(response);
  }

  /** Calls the program's listeners in the context of the run. */
  begin<T>(emit: () => T): T {
    return withRoom(() => within(this.run.frame, emit));
  }

  /** Node emits events of a connection in no request's context: listeners of this request are called in its own. */
  #keepContext(emitter: http.IncomingMessage | http.ServerResponse): void {
    const { frame } = this.run;
    const { emit } = emitter;
    const closed = (): void => this.#closed();
    const isResponse = emitter === this.#response;
    hide(emitter, "emit", function (this: unknown, ...args: unknown[]): unknown {
      const call = (): unknown => Reflect.apply(emit, this, args as never);
      const result = isOutside() || isInProcess() ? withRoom(() => within(frame, call)) : call();
      if (isResponse && args[0] === "close") closed();
      return result;
    });
  }

  #watchBody(): void {
    const body = this.#asked;
    const { run } = this;
    const { push } = this.#request;
    hide(this.#request, "push", function (this: unknown, ...args: unknown[]): unknown {
      guarded("request", undefined, () => (args[0] === null ? run.asked() : body.add(args[0], args[1])));
      return Reflect.apply(push, this, args as never);
    });
  }

  #watchResponse(): void {
    const body = this.#answered;
    const response = this.#response;
    const { write, end } = response;
    const taken = (real: typeof write | typeof end) =>
      function (this: unknown, ...args: unknown[]): unknown {
        if (!response.writableEnded) guarded("request", undefined, () => body.add(args[0], args[1]));
        return Reflect.apply(real, this, args as never);
      };
    hide(response, "write", taken(write));
    hide(response, "end", taken(end));
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // a replay compares the answer to a request that takes no step any more
    if (this.run.isActive || recorder.isReplay) guarded("request", undefined, () => this.#endWhenQuiet());
  }

  #endWhenQuiet(): void {
    const { run } = this;
    const known = guarded("request", null, () => this.#outcome());
    if (known === null) run.lossy.push("response: it could not be recorded");
    const end: RunEnd = { ...(known ?? { status: "ok" }), ended: epochNow() };
    run.answer(end, () => run.openSteps === 0 && owedTimers(run) <= 0);
    const quiet = (): number => {
      if (recorder.isReplay) return QUIET_REPLAYED_MS;
      return owedTimers(run) > 0 ? QUIET_WITH_TIMERS_MS : QUIET_MS;
    };
    whenQuiet(run, quiet, { active: (at) => (end.ended = at), done: () => run.end(end) });
  }

  /** Made once where nothing more can come of the body. */
  #input(): string {
    const text = this.#knownInput ?? this.#encodedInput();
    if (this.#hasCome) this.#knownInput = text;
    return text;
  }

  /** Node says so of a request without a body only once it has called the program's listeners. */
  get #hasCome(): boolean {
    return this.#request.complete || !hasBody(this.#request);
  }

  #encodedInput(): string {
    const { method = "", url = "", rawHeaders, socket } = this.#request;
    const headers = headerValues(rawHeaders);
    const asked: RequestValue = {
      method,
      url,
      headers,
      body: bodyValue(this.#asked, headers),
      ...(this.#asked.isWhole && this.#hasCome ? {} : { cut: this.#asked.length }),
      server: serverOf(socket),
    };
    return encodeValue(asked).text;
  }

  #outcome(): RunEnd {
    const { statusCode: status, writableFinished } = this.#response;
    const answerHeaders = sentHeaders(this.#response);
    const answer: ResponseValue = {
      status,
      headers: answerHeaders,
      body: bodyIsSent(this.#request, status) ? bodyValue(this.#answered, answerHeaders) : null,
      ...(this.#answered.isWhole ? {} : { cut: this.#answered.length }),
      ...(writableFinished ? {} : { aborted: true }),
    };
    const output = encodeValue(answer).text;
    if (!writableFinished)
      return { status: "aborted", message: "the connection was closed before the response was whole", output };
    return status >= 500 ? { status: "failed", message: `HTTP ${status}`, output } : { status: "ok", output };
  }
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "/";
}

function hasBody({ headers }: http.IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function bodyIsSent({ method }: http.IncomingMessage, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

function serverOf(socket: http.IncomingMessage["socket"]): RequestValue["server"] {
  const server: unknown = Reflect.get(socket, "server");
  const servers = listeningServers();
  const number = servers.findIndex((each) => each === server);
  const address = servers[number]?.address() ?? null;
  if (number === -1) return null;
  return { number, address: typeof address === "string" ? address : (address?.port ?? null) };
}

/** Node keeps the head that it has sent as text; headers given to `writeHead` alone are nowhere else. */
function sentHeaders(response: http.ServerResponse): HeaderValues {
  const head: unknown = Reflect.get(response, "_header");
  if (typeof head !== "string") return {};
  const lines = head.split("\r\n").slice(1);
  return headerValues(
    lines.flatMap((line) => {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon);
      return colon < 1 || OF_THE_CONNECTION.has(name.toLowerCase()) ? [] : [name, line.slice(colon + 1).trim()];
    }),
  );
}

/** Puts a method over the one of the prototype, where a program that lists the object's members does not see it. */
function hide(owner: object, key: string, value: (...args: never[]) => unknown): void {
  const real: unknown = Reflect.get(owner, key);
  if (typeof real === "function") Object.defineProperty(value, "name", { value: real.name, configurable: true });
  Object.defineProperty(owner, key, { value, writable: true, enumerable: false, configurable: true });
}
