import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import { type Ask, framesOf, readAsk } from "@reenact/wire";
import type { Answer } from "./answer.ts";
import { deliverWhole } from "./deliver.ts";
import { listen } from "./listen.ts";
import { bodyFields, writeTo, type Logged } from "./request-log.ts";
import { nextSerial } from "./serial.ts";

/** What the model says. `undefined`: it repeats what it was told. */
export type Script = (ask: Ask) => Answer | undefined;

export interface Provider {
  /** base URL without a path: `http://127.0.0.1:4000` */
  readonly url: string;
  readonly port: number;
  /** everything so far, oldest first */
  readonly log: readonly Logged[];
  /** Closes the port and every connection. */
  stop(): Promise<void>;
}

/** Responses that the provider itself has broken off. */
const dropped = new WeakSet<ServerResponse>();

/** Breaks a connection off. */
export function drop(response: ServerResponse): void {
  dropped.add(response);
  const { stream } = response as { stream?: ServerHttp2Stream };
  if (stream === undefined) response.destroy();
  else stream.session?.destroy();
}

export function repeat(ask: Ask): Answer {
  const heard = ask.results.length > 0 ? `The tools said: ${ask.results.join(", ")}` : `You said: ${ask.lastUser}`;
  return { text: `${heard.slice(0, 200)} (${ask.serial})` };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Starts a provider on loopback. Port 0 takes a free one. */
export async function startProvider(options: { port?: number; log?: string; script?: Script } = {}): Promise<Provider> {
  const log: Logged[] = [];
  const write = writeTo(options.log);
  const seen = new Map<string, number>();
  let count = 0;
  const note = (entry: Logged): void => {
    log.push(entry);
    write(entry);
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request);
    const serial = nextSerial();
    const n = (count += 1);
    const key = createHash("sha256").update(`${request.method} ${request.url}\n`).update(raw).digest("hex");
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    const method = request.method ?? "GET";
    const path = request.url ?? "/";
    note({
      event: "request",
      n,
      at: Date.now(),
      serial,
      method,
      path,
      headers: request.rawHeaders,
      ...bodyFields(raw),
    });
    let bytes = 0;
    response.once("close", () => {
      const how = response.writableFinished ? "complete" : dropped.has(response) ? "dropped" : "cancelled";
      note({ event: "end", n, at: Date.now(), how, bytes });
    });
    const retryCount = request.headers["x-stainless-retry-count"]?.toString();
    const ask = readAsk({ method, path, retryCount, raw }, serial, times);
    const answer = options.script?.(ask) ?? repeat(ask);
    const frames = framesOf(ask, answer);
    bytes = frames.parts.reduce((sum, part) => sum + part.length, 0);
    await (answer.deliver ?? deliverWhole)(response, frames, answer.pace ?? {});
  }

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return;
      process.stderr.write(
        `scripted provider: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      drop(response);
    });
  };
  const { port, stop } = await listen(serve, options.port);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    log,
    stop,
  };
}
