import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { errorCode } from "@reenact/envelope";
import { type Answer, type Outcome, outcomeOf } from "@reenact/envelope/transfer";
import type { Destination } from "./destination.ts";

const gzipped = promisify(gzip);
/** of an answer, as much as is read */
const MOST_ANSWER = 16 * 1024;

/** Kept connections to one destination. Redirects are not followed. Nothing here rejects. */
export interface Exchange {
  /** Posts one ExportTraceServiceRequest. */
  post(body: Uint8Array, signal: AbortSignal): Promise<Outcome>;
  /** `string`: why there is no answer */
  get(url: string, signal: AbortSignal): Promise<Answer | string>;
  close(): void;
}

/** Throws what the file system throws for a certificate that cannot be read. */
export function openExchange({ traces, headers, timeoutMs, gzip: small, tls }: Destination): Exchange {
  const secure = traces.startsWith("https:");
  const pem = Object.fromEntries(Object.entries(tls).map(([name, path]) => [name, readFileSync(path)]));
  // loaded here: they take longer to load than a short command does all else
  const { Agent, request: send } = process.getBuiltinModule(secure ? "node:https" : "node:http");
  const agent = new Agent({ keepAlive: true, ...pem });

  function ask(url: string, body: Uint8Array | null, signal: AbortSignal): Promise<Answer | string> {
    const { promise, resolve } = Promise.withResolvers<Answer | string>();
    const trouble = (error: Error): void => resolve(reasonOf(error));
    const post = {
      "content-type": "application/x-protobuf",
      "content-length": String(body?.length),
      ...(small && { "content-encoding": "gzip" }),
    };
    const options = {
      method: body === null ? "GET" : "POST",
      agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: body === null ? headers : { ...headers, ...post },
    };
    try {
      const request = send(url, options, (response) => readAnswer(response, resolve, trouble));
      request.on("error", trouble);
      request.end(body ?? undefined);
    } catch (error) {
      trouble(error as Error); // a header that cannot be sent
    }
    return promise;
  }

  return {
    async post(body, signal) {
      const answer = await ask(traces, small ? await gzipped(body, { level: 3 }) : body, signal);
      return typeof answer === "string" ? { is: "later", why: answer, after: null } : outcomeOf(answer, Date.now());
    },
    get: (url, signal) => ask(url, null, signal),
    close: () => agent.destroy(),
  };
}

function readAnswer(response: IncomingMessage, done: (answer: Answer) => void, trouble: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    if (size < MOST_ANSWER) chunks.push(chunk);
    size += chunk.length;
  });
  response.on("error", trouble);
  response.on("end", () =>
    done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
  );
}

/** Never the message of a header's error: it quotes the value. */
function reasonOf(error: Error): string {
  const code = errorCode(error);
  if (error.name === "TimeoutError" || (error.cause as Error | undefined)?.name === "TimeoutError")
    return "no answer in time";
  if (code === "ERR_INVALID_CHAR" || code === "ERR_HTTP_INVALID_HEADER_VALUE") return "a header cannot be sent";
  if (error instanceof AggregateError) return error.errors.map((each: Error) => each.message).join("; ");
  return error.message || String(code);
}
