import { errorCode } from "@reenact/envelope";
import { CliError, messageOf } from "../errors/cli-error.ts";
import type { CliErrorCode } from "../errors/error-code.ts";
import { OPERATIONS, type Operations } from "./api-operations.ts";

/** Operations that answer with JSON. */
type JsonOperation = {
  [Name in keyof Operations]: [Operations[Name]["answer"]] extends [never] ? never : Name;
}[keyof Operations];
/** What an operation is asked with. */
type Given<Name extends keyof Operations> = Partial<Pick<Operations[Name], "path" | "query" | "body">>;

/** Requests to the API of a collector. Every method throws `CliError` for any answer but a good one. */
export interface ServerClient {
  /** of its root, without a slash at the end */
  readonly url: string;
  /** Its JSON answer. */
  call<Name extends JsonOperation>(name: Name, given?: Given<Name>): Promise<Operations[Name]["answer"]>;
  /** An envelope, or spans as protobuf. */
  bytes(name: "getEnvelope" | "getSpans", run: string): Promise<Uint8Array>;
  /** One OTLP request, protobuf; resolves when it is acknowledged. */
  send(traces: Uint8Array): Promise<void>;
}

const tokenAdvice = (url: string): string =>
  `give its key with --token, or name it with --server ${url} so that it gets REENACT_API_KEY`;
const ANSWER_MS = 30_000;
/** of a run as it is sent, bytes */
const LARGEST = 1024 ** 3;
/** The newest version of the API's answers that is understood here. */
const SCHEMA = 1;

/** What its errors are called here, and what to do, where its own advice would not help on a command line. */
const CODES: Readonly<Record<string, readonly [code: CliErrorCode, next?: (url: string) => string]>> = {
  BAD_REQUEST: ["REEN-USAGE"],
  BAD_FILTER: ["REEN-USAGE", () => "reenact ls --help"],
  BAD_CURSOR: ["REEN-USAGE", () => "leave --after away"],
  UNAUTHENTICATED: ["REEN-UNAUTHORISED", (url) => tokenAdvice(url)],
  FORBIDDEN: ["REEN-UNAUTHORISED"],
  BAD_CALLER: ["REEN-UNAUTHORISED"],
  NOT_FOUND: ["REEN-NO-RUN", (url) => `reenact ls --server ${url}`],
  AMBIGUOUS: ["REEN-AMBIGUOUS"],
  EXPIRED: ["REEN-EXPIRED", (url) => `reenact ls --server ${url}`],
  PACK_MISSING: ["REEN-PACK-MISSING"],
  DAMAGED: ["REEN-DAMAGED"],
  NO_STEP: ["REEN-NO-STEP"],
  NO_PART: ["REEN-NO-STEP"],
  TOO_MANY_STREAMS: ["REEN-SERVER"],
  NO_ROUTE: ["REEN-NOT-A-COLLECTOR", () => "update the collector: it does not know this request"],
  NOT_SEALED: ["REEN-NOT-SEALED"],
  INTERNAL: ["REEN-SERVER"],
  UNAVAILABLE: ["REEN-SERVER"],
};

/** `url`: the collector's address, with or without `/v1/traces`. Throws `CliError` for what is no address. */
export function serverClient(address: string, token: string | undefined): ServerClient {
  const url = rootOf(address);
  const authorization = token === undefined || token === "" ? {} : { authorization: `Bearer ${token}` };

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const begun = new AbortController();
    const clock = setTimeout(() => begun.abort(new Error(`no answer in ${ANSWER_MS / 1000} s`)), ANSWER_MS);
    let response: Response;
    try {
      const headers = { accept: "*/*", ...(init.headers as Record<string, string>), ...authorization };
      // a redirect could take the key elsewhere
      response = await fetch(`${url}${path}`, { ...init, headers, redirect: "manual", signal: begun.signal });
    } catch (error) {
      throw unreachable(url, error);
    } finally {
      clearTimeout(clock);
    }
    if (response.status === 200 || response.status === 206) return response;
    throw refusal(url, response.status, await bodyOf(response));
  }

  async function json<T>(path: string, init: RequestInit = {}): Promise<T> {
    const value = await bodyOf(await ask(path, init));
    const { schemaVersion } = (value ?? {}) as { schemaVersion?: unknown };
    if (typeof schemaVersion !== "number") throw notACollector(url, "its answer is not that of a collector");
    if (schemaVersion > SCHEMA)
      throw new CliError(
        "REEN-NEWER-VERSION",
        `${url} answers in version ${schemaVersion}, this is version ${SCHEMA}`,
        "update Reenact here",
      );
    return value as T;
  }

  return {
    url,
    async call<Name extends JsonOperation>(name: Name, given: Given<Name> = {}) {
      const { method } = OPERATIONS[name];
      const body = given.body === undefined ? {} : jsonBody(given.body);
      return json<Operations[Name]["answer"]>(pathOf(name, given), { method, ...body });
    },
    async bytes(name, run) {
      const response = await ask(pathOf(name, { path: { run } }));
      const type = response.headers.get("content-type") ?? "";
      if (!/^application\/(vnd\.reenact\.envelope|x-protobuf)\b/.test(type))
        throw notACollector(url, `it answers with ${type === "" ? "no content type" : type}`);
      return payload(url, response);
    },
    async send(traces) {
      const headers = { "content-type": "application/x-protobuf" };
      const response = await ask("/v1/traces", { method: "POST", headers, body: Buffer.from(traces) });
      if (!/^application\/x-protobuf\b/.test(response.headers.get("content-type") ?? ""))
        throw notACollector(url, "its answer to spans is not OTLP");
      await response.arrayBuffer();
    },
  };
}

const jsonBody = (body: unknown) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

function pathOf(name: keyof Operations, given: { path?: object; query?: object }): string {
  const named = new Map(Object.entries(given.path ?? {}).map(([key, value]) => [key, String(value)]));
  const path = OPERATIONS[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(named.get(key) ?? ""),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(given.query ?? {})) if (value !== undefined) query.set(key, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

async function payload(url: string, response: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of response.body ?? []) {
      length += piece.length;
      if (length > LARGEST)
        throw new CliError("REEN-TOO-LARGE", `${url} sends more than ${LARGEST} bytes`, "make sure what answers there");
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof CliError ? error : unreachable(url, error);
  }
  return Buffer.concat(pieces, length);
}

function rootOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError("REEN-USAGE", `${address} is no address of a collector`, "name it as http://127.0.0.1:4318");
  return `${url.origin}${url.pathname.replace(/(\/v1\/traces)?\/*$/, "")}`;
}

/** The body as JSON; null where it is none. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function unreachable(url: string, error: unknown): CliError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = errorCode(cause);
  const why = typeof code === "string" ? code : messageOf(cause);
  return new CliError("REEN-SERVER", `cannot reach ${url}: ${why}`, "start it, or correct --server", {
    cause: error,
  });
}

const notACollector = (url: string, why: string): CliError =>
  new CliError("REEN-NOT-A-COLLECTOR", `${url} is no Reenact collector: ${why}`, "correct --server");

function refusal(url: string, status: number, body: unknown): CliError {
  const { code, message, next } = ((body ?? {}) as { error?: Record<string, unknown> }).error ?? {};
  const known = typeof code === "string" && Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  if (known !== undefined) {
    const advice = known[1]?.(url) ?? (typeof next === "string" ? next : "reenact ls --help");
    return new CliError(known[0], `${url}: ${String(message)}`, advice);
  }
  const why = (body as { message?: unknown } | null)?.message;
  const words = typeof why === "string" ? `: ${why}` : "";
  if (status === 401 || status === 403)
    return new CliError("REEN-UNAUTHORISED", `${url} refuses with status ${status}${words}`, tokenAdvice(url));
  if (status >= 500 || status === 429)
    return new CliError("REEN-SERVER", `${url} answers with status ${status}${words}`, "try again later");
  return notACollector(url, `it answers with status ${status}${words}`);
}
