import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";

export interface Exchange {
  readonly method: string;
  /** with its query */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** base64; null: none */
  readonly body: string | null;
  readonly response: {
    readonly status: number;
    /** content type; empty: not known */
    readonly type: string;
    /** base64; a stream comes in more than one */
    readonly parts: readonly string[];
  };
}

export interface Cassette {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** Reads the cassettes of Braintrust's SDK (JSON) and of VCR (YAML) in a folder. */
export function cassettesIn(folder: string): Cassette[] {
  const files = globSync("**/*.{cassette.json,yml}", { cwd: folder }).toSorted();
  return files.map((name) => {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    const exchanges = name.endsWith(".yml") ? ofVcr(text) : ofBraintrust(text, dirname(file));
    return { name, exchanges };
  });
}

type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "sse"; readonly chunks: readonly string[] }
  | { readonly kind: "base64"; readonly value: string }
  | { readonly kind: "binary"; readonly path: string }
  | { readonly kind: "empty" };

interface Entry {
  readonly request: { readonly method: string; readonly url: string; readonly body: Body };
  readonly response: { readonly status: number; readonly headers: Record<string, string>; readonly body: Body };
}

function ofBraintrust(text: string, folder: string): Exchange[] {
  const { entries } = JSON.parse(text) as { entries: readonly Entry[] };
  return entries.map(({ request, response }) => ({
    method: request.method,
    path: pathOf(request.url),
    headers: request.body.kind === "json" ? { "content-type": "application/json" } : {},
    body: partsOf(request.body, folder)[0] ?? null,
    response: {
      status: response.status,
      type: response.headers["content-type"] ?? "",
      parts: partsOf(response.body, folder),
    },
  }));
}

function partsOf(body: Body, folder: string): string[] {
  if (body.kind === "empty") return [];
  if (body.kind === "json") return [base64(JSON.stringify(body.value))];
  if (body.kind === "text") return [base64(body.value)];
  if (body.kind === "base64") return [body.value];
  if (body.kind === "sse") return body.chunks.map((chunk) => base64(`${chunk}\n\n`));
  return [readFileSync(join(folder, body.path)).toString("base64")];
}

interface Interaction {
  readonly request: {
    readonly method: string;
    readonly uri: string;
    readonly body?: VcrBody;
    readonly headers?: VcrHeaders;
  };
  readonly response: {
    readonly status: { readonly code: number };
    readonly body?: VcrBody;
    readonly headers?: VcrHeaders;
  };
}
type VcrHeaders = Readonly<Record<string, readonly string[]>>;
interface VcrBody {
  readonly string?: unknown;
  readonly base64_string?: string;
}

function ofVcr(text: string): Exchange[] {
  const { http_interactions: all } = parse(text, { logLevel: "silent" }) as {
    http_interactions: readonly Interaction[];
  };
  return all.map(({ request, response }) => {
    const type = request.headers?.["Content-Type"]?.[0];
    return {
      method: request.method.toUpperCase(),
      path: pathOf(request.uri),
      headers: type === undefined ? {} : { "content-type": type },
      body: request.method === "get" ? null : vcrBody(request.body),
      response: {
        status: response.status.code,
        type: response.headers?.["Content-Type"]?.[0] ?? "",
        parts: [vcrBody(response.body)].flatMap((part) => (part === null ? [] : pieces(part))),
      },
    };
  });
}

function vcrBody(body: VcrBody | undefined): string | null {
  if (body?.base64_string !== undefined) return body.base64_string.replace(/\s/g, "");
  const { string } = body ?? {};
  if (string instanceof Uint8Array) return Buffer.from(string).toString("base64");
  return typeof string === "string" && string !== "" ? base64(string) : null;
}

/** As a network might divide it: pieces of 1,000 bytes. */
function pieces(whole: string): string[] {
  const bytes = Buffer.from(whole, "base64");
  return Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, n) =>
    bytes.subarray(n * 1000, (n + 1) * 1000).toString("base64"),
  );
}

function pathOf(url: string): string {
  // a host may have been replaced by a name: `<API_BASE>/chat/completions`
  const { pathname, search } = new URL(url.replaceAll(/[<>]/g, "_"), "http://host/");
  return `${pathname}${search}`;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
