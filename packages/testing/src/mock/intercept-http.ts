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
    if (responder === undefined || !(request instanceof http.ClientRequest) || isLocalSocket(options))
      return Reflect.apply(real, this, args);
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
}

const connections = new WeakMap<Duplex, Connection>();

function connect(request: http.ClientRequest, url: URL, responder: Responder): void {
  const [client, inside] = duplexPair();
  connections.set(inside, { url, responder, request, client });
  inside.on("error", () => {});
  // kept alive for nobody
  client.once("free", () => client.destroy());
  server.emit("connection", inside);
  request.onSocket(asSocket(client));
}

/** What a client sets on a connection, and has no effect on this one. */
function asSocket(stream: Duplex): Socket {
  const self = (): Duplex => stream;
  const none = { setTimeout: self, setNoDelay: self, setKeepAlive: self, ref: self, unref: self };
  return Object.assign(stream, none, { encrypted: true, authorized: true }) as unknown as Socket;
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
  { url, responder, client }: Connection,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part as Uint8Array));
  const raw = Buffer.concat(parts);
  const headers = new Map(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const outcome = responder.respond({ method: incoming.method ?? "GET", url, headers, raw });
  if (outcome === "pass") return passOn(incoming, response, { url, raw });
  if ("error" in outcome) {
    client.destroy(outcome.error);
    return;
  }
  const { frames, delayMs, pauseMs } = outcome;
  if (delayMs > 0) await sleep(delayMs);
  response.writeHead(frames.status, frames.reason, { ...frames.headers });
  for (const [at, part] of frames.parts.entries()) {
    if (at > 0 && pauseMs > 0) await sleep(pauseMs);
    if (response.destroyed) return;
    response.write(part);
  }
  response.end();
}

/** A request that was read and is no call of a model goes on to where it was meant for. */
function passOn(incoming: http.IncomingMessage, response: http.ServerResponse, to: { url: URL; raw: Buffer }): void {
  withResponder(undefined, () => {
    const { request } = to.url.protocol === "https:" ? https : http;
    const { method, rawHeaders } = incoming;
    const outgoing = request(to.url, { ...(method === undefined ? {} : { method }), headers: rawHeaders });
    outgoing.on("response", (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.statusMessage, answered.rawHeaders);
      answered.pipe(response);
    });
    outgoing.on("error", (error) => connections.get(incoming.socket)?.client.destroy(error));
    outgoing.end(to.raw);
  });
}
