import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ATTR, encodeResource, encodeScope, encodeSpan, plainSpan } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import { PackBuilder } from "@reenact/envelope/pack";
import { prose } from "./prose.mjs";

const PER_PACK = 1_000;
const AGENTS = ["desk", "refund", "search", "triage"];
const MODELS = ["gpt-5", "gpt-5-mini", "claude-sonnet-5"];
const ERRORS = ["TimeoutError", "TypeError", "RateLimitError"];
/** One run in so many has failed. */
export const FAILED = 20;
const EPOCH_MS = Date.now() - 86_400_000;

const idOf = (kind, n, digits) => createHash("sha256").update(`${kind} ${n}`).digest("hex").slice(0, digits);
export const growthRunId = (n) => idOf("run", n, 32);
const hasFailed = (n) => n % FAILED === 0;
/** A word that only the n-th run has. */
export const ownWord = (n) => `order${n}x`;

/** The spans of the n-th run: one turn, 2 KB of text; one in twenty failed; some users, sessions, models and versions. */
export function growthSpans(n, startMs = EPOCH_MS + n) {
  const [run, trace, rootId, stepId] = [growthRunId(n), idOf("trace", n, 32), idOf("root", n, 16), idOf("step", n, 16)];
  const own = { [ATTR.schema]: 1, [ATTR.runId]: run };
  const start = BigInt(startMs) * 1_000_000n;
  const error = hasFailed(n) ? `${ERRORS[n % 3]}: tool ${n % 50} refused` : "";
  const status = { code: error === "" ? 1 : 2, message: error };
  const input = `${ownWord(n)} ${prose(1000, n)}`;
  const output = prose(1000, n + 1);
  const record = JSON.stringify({
    v: 1,
    op: "llm",
    path: "agent/llm",
    n: 0,
    attempt: 0,
    step: 0,
    under: null,
    order: { start: 0 },
  });
  const root = plainSpan({
    traceId: trace,
    spanId: rootId,
    name: AGENTS[n % AGENTS.length],
    startUnixNano: start,
    endUnixNano: start + 1_000_000_000n,
    status,
    attributes: {
      ...own,
      [ATTR.spanKind]: "AGENT",
      [ATTR.kind]: "AGENT",
      [ATTR.root]: JSON.stringify({ v: 1, name: AGENTS[n % AGENTS.length], steps: 1, lanes: {} }),
      [ATTR.runStatus]: error === "" ? "ok" : "failed",
      "user.id": `user-${n % 2000}`,
      "session.id": `session-${Math.floor(n / 5)}`,
    },
  });
  const step = plainSpan({
    traceId: trace,
    spanId: stepId,
    parentSpanId: rootId,
    name: "chat",
    startUnixNano: start + 1000n,
    endUnixNano: start + 900_000_000n,
    status,
    attributes: {
      ...own,
      [ATTR.spanKind]: "LLM",
      [ATTR.kind]: "LLM",
      [ATTR.record]: record,
      [ATTR.recordLength]: record.length,
      "llm.model_name": MODELS[n % MODELS.length],
      "llm.token_count.prompt": 250,
      "llm.token_count.completion": 250,
      "llm.token_count.total": 500,
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": input,
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": output,
    },
  });
  const resource = encodeResource({ "service.name": "bench", "service.version": `1.${n % 30}.0` });
  const scope = encodeScope("bench", "1");
  return [root, step].map((span) => ({
    resource,
    resourceSchemaUrl: "",
    scope,
    scopeSchemaUrl: "",
    span: encodeSpan(span),
    traceId: span.traceId,
    spanId: span.spanId,
    startUnixNano: span.startUnixNano,
  }));
}

/** Puts so many runs into a store in a folder, as a collector leaves them, without their catalog. Gives the bytes of all packs. */
export function fillGrowthStore(root, runs) {
  const at = Date.now();
  const day = new Date(at).toISOString().slice(0, 10);
  const open = new Map();
  let stored = 0;
  const close = ({ builder, frames }) => {
    const { key, footer } = builder.finish();
    const path = join(root, key);
    mkdirSync(dirname(path), { recursive: true });
    const bytes = Buffer.concat([...frames, footer]);
    writeFileSync(path, bytes);
    stored += bytes.length;
  };
  for (let n = 0; n < runs; n++) {
    const kind = hasFailed(n) ? "keep" : "short";
    const { bytes, header, manifest } = writeEnvelope({ spans: growthSpans(n), class: kind });
    const pack = open.get(kind) ?? { builder: new PackBuilder({ class: kind, tenant: "default", day }), frames: [] };
    open.set(kind, pack);
    pack.builder.add({ header, manifest, length: bytes.length, receipt: { first: at, last: at } });
    pack.frames.push(bytes);
    if (pack.frames.length < PER_PACK) continue;
    close(pack);
    open.delete(kind);
  }
  for (const pack of open.values()) close(pack);
  return stored;
}
