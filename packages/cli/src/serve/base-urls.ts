import { PROVIDERS } from "@reenact/providers";
import type { RecordedAnswers } from "@reenact/replay";

interface Row {
  /** as in `@reenact/providers` */
  readonly provider: string;
  /** where official clients look for another base URL; null: it can only be given in code */
  readonly variable: string | null;
  /** where a path of its API begins to be below the base URL */
  readonly below: RegExp;
}

const ROWS: readonly Row[] = [
  {
    provider: "openai",
    variable: "OPENAI_BASE_URL",
    below: /\/(?:chat\/completions|completions|responses|embeddings|moderations|images|audio|files|batches)(?:\/|$)/,
  },
  { provider: "anthropic", variable: "ANTHROPIC_BASE_URL", below: /\/v1\/(?:messages|complete|models|files)(?:\/|$)/ },
  { provider: "google", variable: "GOOGLE_GEMINI_BASE_URL", below: /\/v\d\w*\/(?:models|tunedModels|projects)\// },
  { provider: "bedrock", variable: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME", below: /\/model\// },
  { provider: "cohere", variable: "CO_API_URL", below: /\/v[12]\// },
  { provider: "ollama", variable: "OLLAMA_HOST", below: /\/api\// },
  { provider: "mistral", variable: null, below: /\/v1\// },
];

/** Where the calls that went to one host are to go now. */
export interface BaseUrl {
  readonly provider: string;
  readonly host: string;
  readonly variable: string | null;
  readonly url: string;
}

/** A base URL for each host and path of the recorded calls, so that a client asks for the recorded paths. */
export function baseUrls(calls: RecordedAnswers["calls"], endpoint: string): BaseUrl[] {
  const found = new Map<string, BaseUrl>();
  for (const { record } of calls) {
    const { host, pathname } = new URL(record.exchange?.request.url ?? endpoint);
    const [provider = ""] = record.op.split(".");
    const row = ROWS.find((each) => each.provider === provider);
    const at = row === undefined ? 0 : Math.max(0, pathname.search(row.below));
    const url = `${endpoint}${pathname.slice(0, at)}`;
    const key = `${provider} ${url}`;
    if (!found.has(key)) found.set(key, { provider, host, variable: row?.variable ?? null, url });
  }
  return [...found.values()];
}

/** Variables by which clients are sent to a proxy for a base URL like ours. */
const PROXIES = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/**
 * The variables for a program: the first base URL of each provider, a key where `own` has none, and no proxy for the endpoint,
 * which would get requests and keys in plain text.
 */
export function environmentFor(urls: readonly BaseUrl[], own: NodeJS.ProcessEnv): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { provider, variable, url } of urls) {
    if (variable !== null) env[variable] ??= url;
    const [key] = PROVIDERS.find(({ name }) => name === provider)?.keys ?? [];
    if (key !== undefined && !own[key]) env[key] ??= "no-key-needed";
  }
  if (PROXIES.some((name) => own[name])) {
    const direct = [own["NO_PROXY"] || own["no_proxy"], "127.0.0.1"].filter(Boolean).join(",");
    Object.assign(env, { NO_PROXY: direct, no_proxy: direct });
  }
  return env;
}
