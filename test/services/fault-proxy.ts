import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `lost-answer`: the request is done, its answer never comes. `lost-request`: the connection breaks before anything is
 * done. A number: this status, with an S3 error of `code`, and nothing is done. `slow`: the answer comes `ms` late.
 */
export type Fault =
  | { readonly kind: "lost-answer" }
  | { readonly kind: "lost-request" }
  | { readonly kind: "status"; readonly status: number; readonly code: string }
  | { readonly kind: "slow"; readonly ms: number };

export interface FaultProxy {
  readonly endpoint: string;
  /** decides about each request; null: it passes */
  fault: (request: IncomingMessage) => Fault | null;
  /** faults that were made */
  readonly made: () => number;
  close(): Promise<void>;
}

/** A proxy on a free port of 127.0.0.1 before an HTTP server. The signed Host header passes as it is. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  let made = 0;

  async function serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const fault = proxy.fault(incoming);
    if (fault) made++;
    if (fault?.kind === "lost-request") {
      incoming.socket.destroy();
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    if (fault?.kind === "status") {
      const { status, code } = fault;
      answer.writeHead(status, { "content-type": "application/xml" });
      answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>made for this test</Message></Error>`);
      return;
    }
    const outgoing = request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    });
    outgoing.end(Buffer.concat(pieces));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve);
      outgoing.once("error", reject);
    });
    const body: Buffer[] = [];
    for await (const piece of response) body.push(piece as Buffer);
    if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === "lost-answer") {
      incoming.socket.destroy();
      return;
    }
    answer.writeHead(response.statusCode ?? 502, response.headers);
    answer.end(Buffer.concat(body));
  }

  const server = createServer((incoming, answer) => {
    serve(incoming, answer).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const proxy: FaultProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => null,
    made: () => made,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
