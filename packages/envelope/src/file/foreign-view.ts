import { errorFingerprint } from "./error-fingerprint.ts";
import type { Manifest } from "../schema/manifest.ts";
import type { OtlpSpan } from "../otlp/span.ts";
import { failedHttp, foreignStatus } from "./foreign-status.ts";
import type { Run } from "./run.ts";
import { spanKind } from "./span-kind.ts";
import { spanModel, spanTokens, spanTool } from "./span-usage.ts";

const LONGEST_MESSAGE = 500;

type ForeignView = Pick<Manifest, "status" | "error" | "counts" | "models" | "tokens" | "tools">;

/** What a run made by other instrumentations says of itself, by the OpenInference and the gen_ai conventions. */
export function foreignView(run: Run): ForeignView {
  const all = run.spans;
  const counts: Record<string, number> = {};
  const tokens: Record<string, number> = {};
  const [models, tools] = [new Set<string>(), new Set<string>()];
  for (const { span } of all) {
    const kind = spanKind(span);
    if (kind === "") continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === "TOOL") tools.add(spanTool(span) ?? span.name);
    // Agents repeat the sums of the calls below them.
    if (kind !== "LLM" && kind !== "EMBEDDING") continue;
    const model = spanModel(span);
    if (model !== undefined) models.add(model);
    for (const [each, count] of Object.entries(spanTokens(span)))
      tokens[each] = (Object.hasOwn(tokens, each) ? tokens[each]! : 0) + count;
  }
  const { status, failed } = foreignStatus(run);
  return {
    status,
    error: failed && errorOf(failed),
    counts,
    models: [...models].toSorted(),
    tokens,
    tools: [...tools].toSorted(),
  };
}

function errorOf(span: OtlpSpan): Manifest["error"] {
  const exception = span.events.findLast(({ name }) => name === "exception")?.attributes ?? {};
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const http = failedHttp(span);
  const type =
    text(exception["exception.type"]) || text(span.attributes["error.type"]) || (http === null ? "" : `HTTP ${http}`);
  const message = text(exception["exception.message"]) || span.status.message;
  return {
    class: type,
    message: message.slice(0, LONGEST_MESSAGE),
    fingerprint: errorFingerprint({ class: type, name: "", message, op: span.name }),
  };
}
