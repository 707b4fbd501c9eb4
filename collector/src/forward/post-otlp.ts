import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { errorCode } from "@reenact/envelope";
import { isLinkLocal, lookupGlobal } from "./link-local.ts";
import { type Outcome, outcomeOf } from "@reenact/envelope/transfer";

const gzipped = promisify(gzip);
const ANSWER = 16 * 1024;

/** Sends one ExportTraceServiceRequest. Never rejects: trouble on the way is an outcome. */
export type PostTraces = (body: Uint8Array, signal: AbortSignal) => Promise<Outcome>;

export interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none";
  /** of a whole exchange, milliseconds */
  readonly timeout: number;
  readonly now?: () => number;
}

/** OTLP/HTTP in protobuf over kept connections. Redirects are not followed; link-local addresses are not called. */
export function createPost(options: PostOptions): PostTraces & { close(): void } {
  const url = new URL(options.url);
  const secure = url.protocol === "https:";
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 4 })
    : new HttpAgent({ keepAlive: true, maxSockets: 4 });
  const now = options.now ?? Date.now;
  const send = secure ? httpsRequest : httpRequest;

  function exchange(body: Uint8Array, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      const trouble = (error: Error) => resolve({ is: "later", why: reasonOf(error), after: null });
      const encoding = options.compression === "gzip" ? { "content-encoding": "gzip" } : {};
      const request = send(
        url,
        {
          method: "POST",
          agent,
          lookup: lookupGlobal,
          signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeout)]),
          headers: {
            ...options.headers,
            ...encoding,
            "content-type": "application/x-protobuf",
            "content-length": String(body.length),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on("data", (chunk: Buffer) => {
            if (size < ANSWER) chunks.push(chunk);
            size += chunk.length;
          });
          response.on("error", trouble);
          response.on("end", () => {
            const answer = { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
            resolve(outcomeOf(answer, now()));
          });
        },
      );
      request.on("error", trouble);
      request.end(body);
    });
  }

  const post = async (body: Uint8Array, signal: AbortSignal): Promise<Outcome> => {
    if (isLinkLocal(url.hostname))
      return { is: "later", why: `${url.hostname} is a link-local address`, after: null, ours: true };
    try {
      return await exchange(options.compression === "gzip" ? await gzipped(body) : body, signal);
    } catch (error) {
      // what Node refuses to send at all, such as a header with a line feed
      return { is: "later", why: reasonOf(error as Error), after: null, ours: true };
    }
  };
  return Object.assign(post, { close: () => agent.destroy() });
}

function reasonOf(error: Error): string {
  const code = errorCode(error);
  if (error.name === "TimeoutError" || (error.cause as Error | undefined)?.name === "TimeoutError")
    return "no answer in time";
  return typeof code === "string" ? `${code}: ${error.message}` : error.message;
}
