export interface Scenario {
  /** `clients`: HTTP clients other than `fetch`, with and without an SDK above them */
  readonly sdk: "openai" | "anthropic" | "clients";
  /** argument of the program `<sdk>.mjs` or `<sdk>.cjs` */
  readonly name: string;
  /** requests that reach the provider, tries counted one by one */
  readonly requests: number;
  /** of them, those that the client gives up before the answer is whole */
  readonly cancelled: number;
  /** of them, those that the provider breaks off */
  readonly dropped: number;
  /** whether it runs tools through `tool()`, where that can be imported */
  readonly tools: boolean;
  /** whether its model asks for tools that it does not run */
  readonly asksInVain: boolean;
}

type Row = readonly [name: string, requests: number, cancelled?: number, dropped?: number];

const TOOLS = new Set(["run-tools", "run-tools-stream"]);
const IN_VAIN = new Set(["openai stream-tools", "openai responses-helper", "anthropic helper"]);

function table(sdk: Scenario["sdk"], rows: readonly Row[]): Scenario[] {
  return rows.map(([name, requests, cancelled = 0, dropped = 0]) => {
    return {
      sdk,
      name,
      requests,
      cancelled,
      dropped,
      tools: TOOLS.has(name),
      asksInVain: IN_VAIN.has(`${sdk} ${name}`),
    };
  });
}

/** Every scenario ends with exit code 0 and prints what an agent sees: contents, error classes, codes. */
export const SCENARIOS: readonly Scenario[] = [
  ...table("openai", [
    ["success", 1],
    ["responses", 1],
    ["gzip", 1],
    ["big", 1],
    ["with-response", 1],
    ["as-response", 1],
    ["choices", 1],
    ["image", 1],
    ["parse", 3],
    ["run-tools", 2],
    ["run-tools-stream", 2],
    ["parallel", 12],
    ["own-fetch", 1],
    ["floating", 3],
    ["embeddings", 2],
    ["stream", 1],
    ["stream-shapes", 3],
    ["responses-stream", 1],
    ["responses-helper", 1],
    ["stream-tools", 1],
    ["break", 2, 1],
    ["helper", 1],
    ["helper-abort", 1, 1],
    ["parallel-streams", 4],
    ["tee", 1],
    ["readable", 1],
    ["unread", 1],
    ["bad-request", 3],
    ["rate-limited", 3],
    ["backoff", 2],
    ["server-errors", 3],
    ["reset", 3, 0, 2],
    ["cut", 2, 0, 2],
    ["error-event", 2],
    ["timeout", 4, 3],
    ["abort", 3, 2],
    ["abort-stream", 1, 1],
    ["abort-storm", 5, 4],
    ["upload", 2],
    ["speech", 2],
    ["odd-status", 4],
    ["node-http", 3],
    ["node-http-stream", 1],
    ["node-http-reset", 1, 0, 1],
    ["beside", 2],
  ]),
  ...table("anthropic", [
    ["success", 1],
    ["thinking", 2],
    ["gzip", 1],
    ["count-tokens", 1],
    ["with-response", 1],
    ["as-response", 1],
    ["image", 1],
    ["parse", 2],
    ["run-tools", 2],
    ["run-tools-stream", 2],
    ["parallel", 12],
    ["odd-status", 3],
    ["stream", 1],
    ["stream-shapes", 3],
    ["break", 2, 1],
    ["helper", 1],
    ["helper-abort", 1, 1],
    ["parallel-streams", 4],
    ["unread", 1],
    ["bad-request", 3],
    ["rate-limited", 3],
    ["server-errors", 3],
    ["reset", 3, 0, 2],
    ["cut", 2, 0, 2],
    ["error-event", 1],
    ["timeout", 2, 1],
    ["abort", 2, 1],
    ["abort-stream", 1, 1],
    ["beside", 2],
  ]),
  ...table("clients", [
    ["axios", 5],
    ["axios-stream", 2],
    ["axios-early", 1, 1],
    ["axios-failures", 5, 0, 2],
    ["axios-retry", 5],
    ["axios-abort", 3, 2],
    ["axios-upload", 2],
    ["got", 5],
    ["got-stream", 2],
    ["got-early", 1, 1],
    ["got-failures", 5, 0, 2],
    ["got-retry", 5],
    ["got-abort", 3, 2],
    ["node-fetch", 5],
    ["node-fetch-stream", 2],
    ["node-fetch-early", 1, 1],
    ["node-fetch-failures", 3, 0, 2],
    ["node-fetch-retry", 2],
    ["node-fetch-abort", 3, 2],
    ["node-fetch-below", 4],
  ]),
];
