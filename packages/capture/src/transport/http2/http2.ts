import type { HeaderPairs } from "@reenact/envelope";
import type http2 from "node:http2";
import type net from "node:net";
import type tls from "node:tls";
import { promisify } from "node:util";
import { guarded, steppedAside } from "../../fault/faults.ts";
import { copyFunctionProperties } from "../../patch/copy-function-properties.ts";
import { replaceMethod } from "../../patch/replace-method.ts";
import { isLive, live, type RunFrame, stepFrame } from "../../run/context.ts";
import { recorder } from "../../run/recorder.ts";
import { openStep } from "../../span/open-step.ts";
import { recognise } from "../../span/recognise.ts";
import { exchangeDraft, exchangeStep } from "../exchange-step.ts";
import { isOwnPort } from "../own-ports.ts";
import { Http2Connection } from "./http2-connection.ts";
import { Http2Exchange } from "./http2-exchange.ts";
import { LiveHttp2 } from "./http2-live.ts";
import { ServedHttp2 } from "./http2-served.ts";
import { type MakeSessionSocket, type SessionSocket, sessionSockets } from "./session-socket.ts";

type Http2 = typeof http2;
type Authority = string | URL;
type Options = http2.ClientSessionOptions & http2.SecureClientSessionOptions;
type Listener = (session: http2.ClientHttp2Session, socket: net.Socket | tls.TLSSocket) => void;
type Connect = (authority: Authority, options?: Options | Listener, listener?: Listener) => http2.ClientHttp2Session;
type Request = http2.ClientHttp2Session["request"];
type Destroy = (this: object, error: Error | null, done: (error?: Error | null) => void) => void;
type SendTrailers = (this: object, headers: unknown) => void;
type SetTimeout = (this: object, ms: number, callback?: () => void) => unknown;

const connections = new WeakMap<object, Http2Connection>();
const exchanges = new WeakMap<object, Http2Exchange>();

/** Records each request of a client session of `node:http2` as a step. */
export function watchHttp2(module: Http2, undos: (() => void)[]): void {
  let makeSocket: MakeSessionSocket | null = null;
  const known = new WeakSet<object>();
  /** sessions and streams have classes that Node does not hand out */
  const watchClass = (session: object): void => {
    const prototype = Object.getPrototypeOf(session) as object;
    if (known.has(prototype)) return;
    known.add(prototype);
    undos.push(replaceMethod<Request>(prototype, "request", (real) => watchRequest(real, undos)));
    undos.push(...watchTimeouts(Object.getPrototypeOf(prototype) as object));
  };
  undos.push(
    replaceMethod<Connect>(module, "connect", (real) => {
      const connect: Connect = function (this: unknown, authority, options, listener) {
        const given = [authority, options, listener] as const;
        const isWatched = !isLive() && !steppedAside("http2");
        const target = isWatched ? guarded("http2", null, () => targetOf(authority, options)) : null;
        if (target === null) return Reflect.apply(real, this, given);
        makeSocket ??= guarded("http2", null, () => live(() => sessionSockets(streamSocketOf(real))));
        const make = makeSocket;
        if (make === null) return Reflect.apply(real, this, given);
        const connection: { made?: Http2Connection } = {};
        const createConnection = (...asked: unknown[]): SessionSocket => {
          connection.made = openConnection(target, make, asked);
          return connection.made.socket;
        };
        const { options: own, listener: told = listener } = target;
        const session = Reflect.apply(real, this, [authority, { ...own, createConnection }, told]);
        if (connection.made !== undefined) connections.set(session, connection.made);
        guarded("http2", undefined, () => watchClass(session));
        return session;
      };
      return connect;
    }),
  );
  undos.push(promiseWatched(module));
}

/** `promisify(connect)` has a function of its own, which asks Node's. */
function promiseWatched({ connect }: Http2): () => void {
  const before = Object.getOwnPropertyDescriptor(connect, promisify.custom);
  if (before === undefined) return () => {};
  const promised = (authority: Authority, options?: Options): Promise<http2.ClientHttp2Session> =>
    new Promise((resolve, reject) => {
      const session = connect(authority, options ?? {}, () => {
        session.removeListener("error", reject);
        resolve(session);
      });
      session.once("error", reject);
    });
  const value = copyFunctionProperties(promised, before.value as object);
  Object.defineProperty(connect, promisify.custom, { ...before, value });
  return () => void Object.defineProperty(connect, promisify.custom, before);
}

interface Target {
  readonly url: URL;
  readonly options: Options;
  readonly listener?: Listener;
}

/** Null: it is a server of this very program, or Node itself is asked, be it to complain. */
function targetOf(authority: Authority, given: Options | Listener | undefined): Target | null {
  const url = addressOf(authority);
  if (url === null) return null;
  const isKnown = url.protocol === "http:" || url.protocol === "https:";
  if (!isKnown || isOwnPort(url)) return null;
  if (typeof given === "function") return { url, options: {}, listener: given };
  return given === null ? null : { url, options: given ?? {} };
}

/** Node takes any object with these members. Null: it names no server. */
function addressOf(authority: Authority): URL | null {
  if (typeof authority !== "object" || authority instanceof URL) return URL.parse(String(authority));
  const { protocol, hostname, host, port } = authority as Partial<URL>;
  return URL.parse(`${protocol}//${hostname ?? host}:${port ?? ""}`);
}

/** The class of sockets that Node puts over a stream: a session that is made over one holds it. */
function streamSocketOf(connect: Connect): new (stream: object) => object {
  const { Duplex } = process.getBuiltinModule("node:stream");
  const none = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const session = connect("http://localhost", { createConnection: () => none });
  session.on("error", () => {});
  const key = Object.getOwnPropertySymbols(session).find(({ description }) => description === "socket");
  const socket = Reflect.get(session, key as symbol) as object;
  const proto = Object.getPrototypeOf(socket) as { constructor: new (stream: object) => object; doWrite?: unknown };
  session.destroy();
  if (typeof proto.doWrite !== "function") throw new Error("this Node has another kind of stream sockets");
  return proto.constructor;
}

function openConnection({ url, options }: Target, makeSocket: MakeSessionSocket, asked: unknown[]): Http2Connection {
  const connect = (): net.Socket =>
    typeof options.createConnection === "function"
      ? (Reflect.apply(options.createConnection, undefined, asked) as net.Socket)
      : connectSocket(url, options);
  return new Http2Connection({
    frame: stepFrame(),
    secure: url.protocol === "https:",
    server: serverOf(url),
    makeSocket,
    sourceFor: (connection) => (recorder.isReplay ? new ServedHttp2(connection) : new LiveHttp2(connection, connect)),
  });
}

function serverOf(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, "") || "localhost";
  return { host, port: Number(url.port || (url.protocol === "http:" ? 80 : 443)) };
}

/** As Node's own `connect` does it. */
function connectSocket(url: URL, options: Options): net.Socket {
  const { host, port } = serverOf(url);
  const { connect, isIP } = process.getBuiltinModule("node:net");
  if (url.protocol === "http:") return connect({ port, host, ...options } as net.NetConnectOpts);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return process.getBuiltinModule("node:tls").connect(port, host, { ...servername, ...options, ALPNProtocols: ["h2"] });
}

function watchRequest(real: Request, undos: (() => void)[]): Request {
  let isWatched = false;
  return function request(this: http2.ClientHttp2Session, ...args) {
    const stream = Reflect.apply(real, this, args);
    const connection = connections.get(this);
    if (connection === undefined) return stream;
    guarded("http2", undefined, () => {
      if (!isWatched) undos.push(...watchStreams(stream));
      isWatched = true;
      openExchange(connection, stream);
    });
    return stream;
  } as Request;
}

/** A replay has no time to wait for: the time-out of a session comes where it came. */
function watchTimeouts(base: object): (() => void)[] {
  const setTimeout = replaceMethod<SetTimeout>(
    base,
    "setTimeout",
    (real) =>
      function setTimeout(this: object, ms, callback) {
        const connection = connections.get(this);
        if (connection === undefined || !recorder.isReplay) return Reflect.apply(real, this, [ms, callback]);
        const session = this as http2.ClientHttp2Session;
        connection.expire = ms === 0 ? null : () => void session.emit("timeout");
        if (callback !== undefined) session[ms === 0 ? "removeListener" : "once"]("timeout", callback);
        return session;
      },
  );
  const timedOut = replaceMethod<() => void>(
    base,
    "_onTimeout",
    (real) =>
      function _onTimeout(this: object) {
        const tell = (): void => Reflect.apply(real, this, []);
        const connection = connections.get(this);
        if (connection === undefined) tell();
        else connection.timedOut(tell);
      },
  );
  return [setTimeout, timedOut];
}

/** What a program does to a stream of its own, of which nothing may be sent: it destroys it, or sets its time-out. */
function watchStreams(stream: object): (() => void)[] {
  const base = Object.getPrototypeOf(Object.getPrototypeOf(stream)) as object;
  const destroy = replaceMethod<Destroy>(
    base,
    "_destroy",
    (real) =>
      function _destroy(this: object, error, done) {
        guarded("http2", undefined, () => exchanges.get(this)?.left());
        Reflect.apply(real, this, [error, done]);
      },
  );
  const setTimeout = replaceMethod<SetTimeout>(
    base,
    "setTimeout",
    (real) =>
      function setTimeout(this: object, ms, callback) {
        const set = (): unknown => Reflect.apply(real, this, [ms, callback]);
        const exchange = exchanges.get(this);
        return exchange === undefined ? set() : exchange.setTimeout(set, ms, callback);
      },
  );
  const timedOut = replaceMethod<() => void>(
    base,
    "_onTimeout",
    (real) =>
      function _onTimeout(this: object) {
        const tell = (): void => Reflect.apply(real, this, []);
        const exchange = exchanges.get(this);
        if (exchange === undefined) tell();
        else exchange.timedOut(tell);
      },
  );
  const sendTrailers = replaceMethod<SendTrailers>(
    base,
    "sendTrailers",
    (real) =>
      function sendTrailers(this: object, headers) {
        const exchange = exchanges.get(this);
        const before = exchange?.draft.requestHeaders;
        // first: they may go out at once
        guarded("http2", undefined, () => exchange?.trailers(fieldsOf(headers as http2.OutgoingHttpHeaders)));
        try {
          Reflect.apply(real, this, [headers]);
        } catch (error) {
          // it has not sent them
          if (exchange !== undefined && before !== undefined) exchange.draft.requestHeaders = before;
          throw error;
        }
      },
  );
  return [destroy, setTimeout, timedOut, sendTrailers];
}

/** Of a replay that goes on beyond its record. */
const NOT_LIVE = "requests over HTTP/2 cannot be sent in a replay: give the client a transport over HTTP/1";

/** Opens the step of a request that the session has taken, where it is one of ours. */
function openExchange(connection: Http2Connection, stream: http2.ClientHttp2Stream): void {
  const frame = stepFrame();
  const head = frame === null || stream.destroyed ? null : headOf(stream.sentHeaders ?? {});
  if (frame === null || head === null) return;
  const exchange = exchangeOf(frame, head, connection, stream);
  if (exchange === null) return;
  exchanges.set(stream, exchange);
  const { answer } = exchange.step;
  const isBeyond = recorder.isReplay && answer.from !== "exchange";
  if (answer.from === "miss") exchange.refuse(answer.error);
  else if (isBeyond) exchange.refuse(new Error(NOT_LIVE));
  else connection.open(exchange);
}

function fieldsOf(sent: http2.OutgoingHttpHeaders): [string, string][] {
  return Object.entries(sent).flatMap(([name, value]): [string, string][] =>
    name.startsWith(":") || value === undefined
      ? []
      : (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
  );
}

interface RequestHead {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderPairs;
}

/** Null: a request that names no address, such as one for a tunnel. */
function headOf(sent: http2.OutgoingHttpHeaders): RequestHead | null {
  const part = (name: string): string => {
    const value = sent[name];
    return typeof value === "string" ? value : "";
  };
  const method = part(":method") || "GET";
  const path = part(":path");
  const address = `${part(":scheme")}://${part(":authority") || part("host")}${path.startsWith("/") ? "" : "/"}${path}`;
  if (method === "CONNECT" || !URL.canParse(address)) return null;
  const url = new URL(address);
  const headers = fieldsOf(sent);
  // a URL writes some paths in another way, and has none for `*`
  if (path !== url.pathname + url.search) headers.push([":path", path]);
  return { method, url, headers };
}

function exchangeOf(
  frame: RunFrame,
  { method, url, headers }: RequestHead,
  connection: Http2Connection,
  stream: http2.ClientHttp2Stream,
): Http2Exchange | null {
  const { run, path } = frame;
  const operation = recognise(method, url, headers, undefined);
  if (run.resting && operation?.agentic !== true) return null;
  const isBodyless = stream.writableEnded;
  const named = exchangeStep(operation, method, url);
  const step = openStep(frame, {
    ...named,
    path,
    unsendable: NOT_LIVE,
    content: isBodyless ? { method, url: url.href, headers, body: null } : null,
  });
  const draft = exchangeDraft(method, {
    via: "http2",
    url: url.href,
    requestHeaders: headers,
    requestBody: isBodyless ? null : undefined,
    bodyKnown: false,
  });
  step.exchange = draft;
  return new Http2Exchange(step, draft, stream, connection);
}
