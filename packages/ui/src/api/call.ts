import { ApiFailure, failureOf, noCollector } from "./api-failure.ts";
import { behindApi, offline } from "./offline.ts";
import { pageToken } from "./page-token.ts";
import { OPERATIONS, type Operations } from "./api-operations.ts";

/** Operations that answer with JSON. */
type JsonOperation = {
  [Name in keyof Operations]: [Operations[Name]["answer"]] extends [never] ? never : Name;
}[keyof Operations];
type Given<Name extends keyof Operations> = Partial<Pick<Operations[Name], "path" | "query" | "body">> & {
  readonly signal?: AbortSignal;
};
export type Answer<Name extends JsonOperation> = Operations[Name]["answer"];
export type Run = Answer<"getRun">["run"];
export type ViewStep = Answer<"getView">["steps"][number];
export type Item = ViewStep["input"][number];
export type StepDetail = Answer<"getStep">["step"];
export type StepContext = NonNullable<Answer<"getContext">["context"]>;
export type ContextText = StepContext["texts"][number];
export type Stretch = ContextText["is"];
export type RunDiff = Answer<"diffRuns">;
export type DiffRow = RunDiff["rows"][number];
export type ExplainedCall = Answer<"getContext">["calls"][number];
export type Part = StepDetail["parts"][number];

/** What asks whether, or that, something is run on this machine. */
const WITH_TOKEN: ReadonlySet<JsonOperation> = new Set([
  "getChecks",
  "startDemo",
  "getWorkbench",
  "startReplay",
  "planReplay",
  "startPlan",
  "cancelReplay",
  "listTests",
  "startTests",
  "cancelTests",
]);

type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of an operation, under the path at which these pages are served. */
export function addressOf<Name extends keyof Operations>(
  name: Name,
  { path = {}, query = {} }: { path?: Record<string, string>; query?: Query } = {},
): URL {
  const filled = OPERATIONS[name].path.replaceAll(/\{([a-z]+)\}/g, (_, key: string) =>
    encodeURIComponent(path[key] ?? ""),
  );
  const url = new URL(filled.slice(1), document.baseURI);
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== "") url.searchParams.set(key, String(value));
  return url;
}

/** The JSON answer of an operation. Throws `ApiFailure`. */
export async function call<Name extends JsonOperation>(name: Name, given: Given<Name> = {}): Promise<Answer<Name>> {
  const { body, signal } = given;
  if (offline !== null) return JSON.parse(await offline.json(behindApi(addressOf(name, given)))) as Answer<Name>;
  const response = await reach(addressOf(name, given), {
    method: OPERATIONS[name].method,
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(pageToken !== "" && WITH_TOKEN.has(name) && { "x-reenact-token": pageToken }),
    },
  });
  try {
    return (await response.json()) as Answer<Name>;
  } catch (cause) {
    if (signal?.aborted || !(cause instanceof SyntaxError)) throw cause;
    throw noCollector(response, cause);
  }
}

/** The first `most` bytes of a part of a step. */
export async function partBegin(
  path: { run: string; step: string; digest: string },
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (offline !== null) return offline.part(behindApi(addressOf("getPart", { path })), most);
  const response = await reach(addressOf("getPart", { path }), { headers: { range: `bytes=0-${most - 1}` }, signal });
  return new Uint8Array(await response.arrayBuffer());
}

async function reach(url: URL, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, redirect: "error" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiFailure("UNREACHABLE", "the collector does not answer", { cause });
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}
