import type { HeaderPairs } from "@reenact/envelope";
import type http from "node:http";
import type { Socket } from "node:net";
import { printableOrBytes } from "../../hook/text-or-bytes.ts";
import { live, type RunFrame } from "../../run/context.ts";
import { readHead, writeHead } from "../http/http-head.ts";
import { type Handshake, type HandshakeRequest, type LiveHandshake, sentHeaders, servedHeaders } from "./handshake.ts";
import { WebSocketConnection, type WebSocketDial } from "./web-socket-connection.ts";

/** As the program has asked Node for it. */
interface Asked {
  readonly request: http.ClientRequest;
  readonly options: http.RequestOptions;
  readonly agent: http.Agent | undefined;
  readonly timeout: number | undefined;
}

/** Bytes of an answer that is no WebSocket: what says why. */
const MOST_BODY = 64 * 1024;
/** Milliseconds that its end is waited for. */
const MOST_WAIT = 1000;

/** Makes a client's request of `node:http` that is to become a WebSocket a connection of ours. What it returns begins it. */
export function httpWebSocket(
  frame: RunFrame | null,
  handshake: HandshakeRequest,
  { request, options, agent, timeout }: Asked,
): () => void {
  let asked: HandshakeRequest = handshake;
  const connection = new WebSocketConnection(frame, handshake, () => dial(asked, options, agent));
  const present = (answer: Handshake): void => {
    const { status, reason, body = "" } = answer;
    const headers = servedHeaders(answer, asked.headers);
    connection.stream.push(writeHead({ start: `HTTP/1.1 ${status} ${reason}`, headers }));
    if (body.length > 0) connection.stream.push(Buffer.from(body as string));
  };
  return () => {
    if (timeout !== undefined) connection.setTimeout(timeout);
    request.onSocket(connection.stream as unknown as Socket);
    // until it is sent, the program may set and remove its headers
    connection.whenAsked((head) => {
      asked = { ...handshake, headers: readHead(head)?.headers ?? handshake.headers };
      void connection.open(present, asked);
    });
  };
}

function dial(
  { url, headers }: HandshakeRequest,
  options: http.RequestOptions,
  agent: http.Agent | undefined,
): WebSocketDial {
  const { request } = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http");
  const asked = request({
    ...options,
    agent,
    headers: sentHeaders(headers).flat(),
    setHost: false,
    setDefaultHeaders: false,
  });
  const answer = new Promise<LiveHandshake>((resolve, reject) => {
    asked.on("upgrade", (response, socket, first) => resolve({ ...headOf(response), socket, first }));
    asked.on("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const done = (): void => {
        const body = printableOrBytes(Buffer.concat(chunks).subarray(0, MOST_BODY));
        resolve({ ...headOf(response), body, socket: null, first: Buffer.alloc(0) });
      };
      const stop = (): void => {
        done();
        asked.destroy();
      };
      // one that does not end is an answer, too
      const patience = live(() => setTimeout(stop, MOST_WAIT).unref());
      response.once("close", () => clearTimeout(patience));
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= MOST_BODY) stop();
      });
      response.on("end", done).on("error", done);
    });
    asked.on("error", reject);
  });
  // nobody may wait for it any more
  answer.catch(() => {});
  asked.end();
  return { answer, stop: () => void asked.destroy() };
}

function headOf({
  statusCode = 0,
  statusMessage = "",
  rawHeaders,
}: http.IncomingMessage): Omit<LiveHandshake, "socket" | "first"> {
  const headers: HeaderPairs = [];
  for (let i = 0; i < rawHeaders.length; i += 2) headers.push([rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""]);
  return { status: statusCode, reason: statusMessage, headers };
}
