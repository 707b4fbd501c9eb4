import http from "node:http";
import type { AddressInfo, Server } from "node:net";
import { afterEach, beforeEach } from "vitest";
import type { ExchangeDraft } from "../../span/step-content.ts";
import { installHttp } from "./http.ts";

const servers: Server[] = [];

/** Installs before each test, undoes after it, and closes the servers that the test has started. */
export function eachInstalled(): void {
  let undo: () => void;
  beforeEach(() => {
    undo = installHttp();
  });
  afterEach(() => {
    undo();
    for (const server of servers.splice(0)) {
      if (server instanceof http.Server) server.closeAllConnections();
      server.close();
    }
  });
}

export async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Status and body of an answer. */
export async function text(req: http.ClientRequest): Promise<string> {
  const res = await new Promise<http.IncomingMessage>((resolve, reject) => {
    req.once("response", resolve).once("error", reject);
  });
  let all = "";
  for await (const chunk of res) all += String(chunk);
  return `${res.statusCode} ${all}`;
}

export function drafts(steps: { exchange: ExchangeDraft | null }[]): ExchangeDraft[] {
  return steps.map((s) => s.exchange as ExchangeDraft);
}
