import { hash } from "node:crypto";
import type { Manifest } from "../manifest.ts";
import type { OtlpSpan } from "../otlp/span.ts";
import type { Run } from "./run.ts";
import { spanKind } from "./span-kind.ts";

const LONGEST_MESSAGE = 500;

const GEN_AI_TOKENS: Readonly<Record<string, string>> = {
  "gen_ai.usage.input_tokens": "prompt",
  "gen_ai.usage.prompt_tokens": "prompt",
  "gen_ai.usage.output_tokens": "completion",
  "gen_ai.usage.completion_tokens": "completion",
};
const OPENINFERENCE_TOKENS = "llm.token_count.";

type ForeignView = Pick<Manifest, "status" | "error" | "counts" | "models" | "tokens" | "tools">;

/** What a run made by other instrumentations says of itself, by the OpenInference and the gen_ai conventions. */
export function foreignView({ root, spans: all }: Run): ForeignView {
  const counts: Record<string, number> = {};
  const tokens: Record<string, number> = {};
  const [models, tools] = [new Set<string>(), new Set<string>()];
  for (const { span } of all) {
    const kind = spanKind(span);
    if (kind === "") continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === "TOOL") tools.add(first(span, "tool.name", "gen_ai.tool.name", "ai.toolCall.name") ?? span.name);
    // Agents repeat the sums of the calls below them.
    if (kind !== "LLM" && kind !== "EMBEDDING") continue;
    const model = first(
      span,
      "gen_ai.response.model",
      "llm.model_name",
      "embedding.model_name",
      "gen_ai.request.model",
    );
    if (model !== undefined) models.add(model);
    addTokens(tokens, span.attributes);
  }
  const failed = root?.status.code === 2;
  return {
    status: failed ? "failed" : root && root.endUnixNano > 0n ? "ok" : "aborted",
    error: failed ? errorOf(root) : null,
    counts,
    models: [...models].toSorted(),
    tokens,
    tools: [...tools].toSorted(),
  };
}

function first({ attributes }: OtlpSpan, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = attributes[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** Of two conventions on one span the first that has tokens at all counts. */
function addTokens(sums: Record<string, number>, attributes: Record<string, unknown>): void {
  const found: Record<string, number> = {};
  const keep = (kind: string, value: unknown) => {
    if (typeof value === "number" && Number.isFinite(value)) found[kind] = value;
  };
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith(OPENINFERENCE_TOKENS)) keep(key.slice(OPENINFERENCE_TOKENS.length), value);
  }
  if (Object.keys(found).length === 0) {
    for (const [key, kind] of Object.entries(GEN_AI_TOKENS)) keep(kind, attributes[key]);
    if (found["prompt"] !== undefined && found["completion"] !== undefined) {
      found["total"] = found["prompt"] + found["completion"];
    }
  }
  for (const [kind, value] of Object.entries(found)) {
    sums[kind] = (Object.hasOwn(sums, kind) ? sums[kind]! : 0) + value;
  }
}

function errorOf(root: OtlpSpan): Manifest["error"] {
  const exception = root.events.findLast(({ name }) => name === "exception")?.attributes ?? {};
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const type = text(exception["exception.type"]);
  const message = text(exception["exception.message"]) || root.status.message;
  return {
    class: type,
    message: message.slice(0, LONGEST_MESSAGE),
    fingerprint: hash("sha256", JSON.stringify(["foreign", type, root.name])).slice(0, 16),
  };
}
