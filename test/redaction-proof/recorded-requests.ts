import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A request that somebody's agent once sent. */
export interface RecordedRequest {
  /** file it comes from */
  readonly source: string;
  readonly method: string;
  readonly url: string;
  readonly mime: string;
  readonly body: Uint8Array;
}

/** All requests of the corpora in a folder; null: the sample that lies beside this file. */
export async function recordedRequests(folder: string | null): Promise<RecordedRequest[]> {
  if (folder === null) return sample();
  return [
    ...braintrust(join(folder, "braintrust")),
    ...(await rubyLlm(join(folder, "ruby_llm"))),
    ...tauBench(join(folder, "tau-bench")),
  ];
}

function sample(): RecordedRequest[] {
  const file = fileURLToPath(new URL("corpora/requests.jsonl", import.meta.url));
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { body, base64, ...rest } = JSON.parse(line) as Omit<RecordedRequest, "body"> & {
        body?: string;
        base64?: string;
      };
      return { ...rest, body: base64 === undefined ? Buffer.from(body ?? "") : Buffer.from(base64, "base64") };
    });
}

interface Entry {
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: { kind: string; value?: unknown; path?: string; contentType?: string };
  };
}

function* braintrust(folder: string): Generator<RecordedRequest> {
  for (const file of filesIn(folder, ".cassette.json")) {
    for (const { request } of (JSON.parse(readFileSync(file, "utf8")) as { entries: Entry[] }).entries) {
      const { kind, value, path, contentType } = request.body;
      const from = { source: file, method: request.method, url: request.url };
      if (kind === "json") yield { ...from, mime: "application/json", body: Buffer.from(JSON.stringify(value)) };
      else if (kind === "text") yield { ...from, mime: "text/plain", body: Buffer.from(String(value)) };
      else if (kind === "base64")
        yield { ...from, mime: contentType ?? "", body: Buffer.from(String(value), "base64") };
      else if (kind === "binary")
        yield { ...from, mime: contentType ?? "", body: readFileSync(join(dirname(file), path ?? "")) };
    }
  }
}

interface Interaction {
  request: { method: string; uri: string; headers: Record<string, string[]>; body: { string: string | Uint8Array } };
}

async function rubyLlm(folder: string): Promise<RecordedRequest[]> {
  // only here: what comes with the checkout needs no YAML
  const name = "yaml";
  const { parse } = (await import(name)) as {
    parse(text: string, options: object): { http_interactions: Interaction[] };
  };
  const customTags = [{ tag: "!binary", resolve: (text: string) => Buffer.from(text, "base64") }];
  return filesIn(folder, ".yml").flatMap((file) =>
    parse(readFileSync(file, "utf8"), { customTags }).http_interactions.map(({ request }) => ({
      source: file,
      method: request.method.toUpperCase(),
      url: request.uri,
      mime: (request.headers["Content-Type"]?.[0] ?? "application/json").toLowerCase(),
      body: Buffer.from(request.body.string),
    })),
  );
}

interface Trajectory {
  traj: { role: string }[];
}

function* tauBench(folder: string): Generator<RecordedRequest> {
  const file = join(folder, "gpt-4o-airline.json");
  if (!existsSync(file)) return;
  const tools: unknown = JSON.parse(readFileSync(join(folder, "airline-tools.json"), "utf8"));
  for (const { traj } of JSON.parse(readFileSync(file, "utf8")) as Trajectory[]) {
    for (const [i, message] of traj.entries()) {
      if (message.role !== "assistant") continue;
      const body = JSON.stringify({ model: "gpt-4o", temperature: 0, tools, messages: traj.slice(0, i) });
      const url = "https://api.openai.com/v1/chat/completions";
      yield { source: file, method: "POST", url, mime: "application/json", body: Buffer.from(body) };
    }
  }
}

function filesIn(folder: string, end: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));
}
