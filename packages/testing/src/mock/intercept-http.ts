import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Responder, responderHere, withResponder } from "./intercepted.ts";

/**
 * Gives a request of `node:http(s)` a connection within this process, at the place where its agent would open one: also
 * functions that a client has kept come there. Node's own server and client speak over it.
 */
export function interceptHttp(): void {
  const real: unknown = Reflect.get(http.Agent.prototype, "addRequest");
  if (typeof real !== "function") return;
  Reflect.set(http.Agent.prototype, "addRequest", function addRequest(this: http.Agent, ...args: unknown[]): unknown {
    const responder = responderHere();
    const [request, options] = args;
    // a connection that changes its protocol is no call of a model: whether it may be opened is asked of its socket
    const isOther = !(request instanceof http.ClientRequest) || request.hasHeader("upgrade") || isLocalSocket(options);
    if (responder === undefined || isOther) return Reflect.apply(real, this, args);
    const url = urlOf(request);
    if (url === null || !responder.mayAnswer(url)) return Reflect.apply(real, this, args);
    connect(request, url, responder);
    return undefined;
  });
}

const isLocalSocket = (options: unknown): boolean =>
  typeof options === "object" && options !== null && typeof Reflect.get(options, "socketPath") === "string";

function urlOf(request: http.ClientRequest): URL | null {
  const host = request.getHeader("host") ?? request.host;
  return URL.parse(request.path, `${request.protocol}//${String(host)}`);
}

interface Connection {
  readonly url: URL;
  readonly responder: Responder;
  readonly request: http.ClientRequest;
  readonly client: Duplex;
  /** something went over the connection: a timeout of the client begins anew */
  touch(): void;
}

const connections = new WeakMap<Duplex, Connection>();

function connect(request: http.ClientRequest, url: URL, responder: Responder): void {
  const [client, inside] = duplexPair();
  const { socket, touch } = asSocket(client);
  connections.set(inside, { url, responder, request, client, touch });
  inside.on("error", () => {});
  // kept alive for nobody
  client.once("free", () => client.destroy());
  server.emit("connection", inside);
  const { timeout } = request as { timeout?: number };
  if (timeout !== undefined && timeout > 0) socket.setTimeout(timeout);
  request.onSocket(socket);
}

/** What a client sets on a connection: its timeout is kept, all else has no effect on this one. */
function asSocket(stream: Duplex): { socket: Socket; touch(): void } {
  const self = (): Duplex => stream;
  let idle: NodeJS.Timeout | undefined;
  function setIdle(ms: number, listener?: () => void): Duplex {
    clearTimeout(idle);
    idle = ms > 0 && !stream.destroyed ? setTimeout(() => stream.emit("timeout"), ms) : undefined;
    if (listener === undefined) return stream;
    return ms > 0 ? stream.once("timeout", listener) : stream.off("timeout", listener);
  }
  stream.once("close", () => clearTimeout(idle));
  const own = { setTimeout: setIdle, setNoDelay: self, setKeepAlive: self, ref: self, unref: self };
  const socket = Object.assign(stream, own, { encrypted: true, authorized: true }) as unknown as Socket;
  return { socket, touch: () => void idle?.refresh() };
}

/** Never listens: connections within this process are given to it. */
const server = http.createServer((incoming, response) => {
  const connection = connections.get(incoming.socket);
  if (connection === undefined) return response.destroy();
  handle(incoming, response, connection).catch((error: unknown) => {
    connection.client.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return undefined;
});

async function handle(
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
  { url, responder, client, request, touch }: Connection,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part as Uint8Array));
  const raw = Buffer.concat(parts);
  const headers = new Map(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const outcome = responder.respond({ method: incoming.method ?? "GET", url, headers, raw });
  if (outcome === "pass")
    return passOn(incoming, response, { url, raw, agent: (request as { agent?: http.Agent }).agent });
  if ("error" in outcome) {
    client.destroy(outcome.error);
    return;
  }
  const { frames, delayMs, pauseMs } = outcome;
  // a client that has gone is not waited for, so that nothing keeps the test's process
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (!(await paused(delayMs, gone.signal))) return;
  response.writeHead(frames.status, frames.reason, { ...frames.headers });
  for (const [at, part] of frames.parts.entries()) {
    if (at > 0 && !(await paused(pauseMs, gone.signal))) return;
    touch();
    response.write(part);
  }
  response.end();
}

/** False: the client has gone. */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

/** A request that was read and is no call of a model goes on to where it was meant for. */
function passOn(
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
  to: { url: URL; raw: Buffer; agent: http.Agent | undefined },
): void {
  withResponder(undefined, () => {
    const { request } = to.url.protocol === "https:" ? https : http;
    const { method, rawHeaders } = incoming;
    const agent = to.agent === undefined ? {} : { agent: to.agent };
    const outgoing = request(to.url, { ...(method === undefined ? {} : { method }), ...agent, headers: rawHeaders });
    outgoing.on("response", (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.statusMessage, answered.rawHeaders);
      answered.pipe(response);
    });
    outgoing.on("error", (error) => connections.get(incoming.socket)?.client.destroy(error));
    outgoing.end(to.raw);
  });
}
