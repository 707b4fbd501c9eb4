import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EndpointRequest, RecordedAnswers, Served } from "@reenact/replay";
import { type Answer, framesOf, readAsk } from "@reenact/wire";
import { refusalOf, type ServedCall } from "./served-call.ts";

export interface Endpoint {
  /** `http://127.0.0.1:4321` */
  readonly url: string;
  readonly port: number;
  /** what was asked, the oldest first */
  readonly calls: readonly ServedCall[];
  stop(): Promise<void>;
}

export interface EndpointOptions {
  /** 0: a free one */
  readonly port: number;
  /** how a command names the run */
  readonly run: string;
  /** a path as it may be shown and written: redacted */
  shown(path: string): string;
  onCall(call: ServedCall): void;
  /** a request could not be answered, by a fault of this endpoint */
  onFault(request: string, error: unknown): void;
}

/** Bytes of a request; more are refused. */
const MOST_BYTES = 64 * 1024 * 1024;

/** An HTTP endpoint on loopback that answers from the record. Rejects where the port is taken. */
export async function startEndpoint(answers: RecordedAnswers, options: EndpointOptions): Promise<Endpoint> {
  const calls: ServedCall[] = [];
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming);
    if (request === null) return refuse(response, requestOf(incoming), 413, "the request is larger than 64 MB");
    // a page of another site may have been told that its name is this machine
    if (!isLoopback(incoming.headers.host))
      return refuse(response, request, 403, "it is reached as 127.0.0.1 or localhost");
    // a page of another site can send such a request, and would read an answer that allows every origin
    if (!isOwnOrigin(incoming.headers.origin))
      return refuse(response, request, 403, "pages of other origins are not answered");
    const name = `${request.method} ${options.shown(request.path.split("?")[0] ?? "")}`;
    try {
      await respond(request, response, name);
    } catch (error) {
      // without an answer of its own the client must not take the request for one that was served
      response.destroy();
      options.onFault(name, error);
    }
  }

  async function respond(request: EndpointRequest, response: ServerResponse, name: string): Promise<void> {
    const call: ServedCall = { n: calls.length + 1, request: name, answer: answers.answer(request) };
    calls.push(call);
    options.onCall(call);
    const { answer } = call;
    if (answer.found) return serve(response, answer);
    const status = answer.operation === null ? 404 : 400;
    return refuse(response, request, status, refusalOf({ ...call, answer }, options.run));
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    calls,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

const isLoopback = (host = ""): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host);

/** Programs that are no browser send none. */
function isOwnOrigin(origin: string | undefined): boolean {
  return origin === undefined || isLoopback(/^https?:\/\/([^/]+)$/i.exec(origin)?.[1]);
}

function requestOf(
  { method = "GET", url = "/", rawHeaders }: IncomingMessage,
  body = Buffer.alloc(0),
): EndpointRequest {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
  return { method, path: url, headers, body };
}

/** Null: it is too large. */
async function read(incoming: IncomingMessage): Promise<EndpointRequest | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    const bytes = Buffer.from(part as Uint8Array);
    length += bytes.length;
    if (length <= MOST_BYTES) parts.push(bytes);
  }
  return length > MOST_BYTES ? null : requestOf(incoming, Buffer.concat(parts));
}

/** In the form of the provider whose path was asked. No client tries it again. */
function refuse(response: ServerResponse, { method, path, body }: EndpointRequest, status: number, why: string): void {
  const failure = {
    status,
    type: status === 404 ? "not_found_error" : "invalid_request_error",
    message: `reenact: ${why}`,
  };
  const answer: Answer = { failure, headers: { "x-should-retry": "false" } };
  const frames = framesOf(readAsk({ method, path, raw: Buffer.from(body) }, "reenact"), answer);
  response.writeHead(frames.status, { ...frames.headers });
  for (const part of frames.parts) response.write(part);
  response.end();
}

/** Of the recorded connection, of a body that was decoded when it was recorded, or what pages of other origins may read. */
const NOT_SENT: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "set-cookie",
  "transfer-encoding",
]);

/** The recorded answer, byte for byte, in the parts in which it came. */
async function serve(response: ServerResponse, { exchange, chunks }: Served): Promise<void> {
  const { response: recorded, via, end } = exchange;
  // the recorded program got an error of its connection
  if (recorded === undefined) return void response.destroy();
  const isDecoded = via === "fetch";
  for (const [name, value] of recorded.headers) {
    const lower = name.toLowerCase();
    if (NOT_SENT.has(lower) || lower.startsWith("access-control-")) continue;
    if (!(isDecoded && lower === "content-encoding")) response.appendHeader(name, value);
  }
  response.writeHead(recorded.status, isDecoded ? asSent(recorded.reason) : recorded.reason);
  for (const chunk of chunks) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => {
      response.once("close", resolve);
      response.write(chunk, () => {
        response.off("close", resolve);
        resolve();
      });
    });
  }
  // a client leaves a stream at its end marker; any other answer that is not whole must not look so
  if (end === "complete" || end === "cancelled") response.end();
  else response.destroy();
}

/** `fetch` reads a reason as UTF-8, and Node writes it byte by byte. */
function asSent(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : Buffer.from(reason).toString("latin1");
}
