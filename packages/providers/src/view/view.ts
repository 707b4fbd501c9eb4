import type { AttributeValue, StepKind, View } from "@reenact/capture";
import {
  EMBEDDING_EMBEDDINGS,
  EMBEDDING_MODEL_NAME,
  EMBEDDING_TEXT,
  LLM_FINISH_REASON,
  LLM_INPUT_MESSAGES,
  LLM_INVOCATION_PARAMETERS,
  LLM_MODEL_NAME,
  LLM_OUTPUT_MESSAGES,
  LLM_PROVIDER,
  LLM_REQUEST_MODEL_NAME,
  LLM_RESPONSE_MODEL_NAME,
  LLM_SYSTEM,
  LLM_TOKEN_COUNT_COMPLETION,
  LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO,
  LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING,
  LLM_TOKEN_COUNT_PROMPT,
  LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO,
  LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ,
  LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE,
  LLM_TOKEN_COUNT_TOTAL,
  LLM_TOOLS,
  TOOL_JSON_SCHEMA,
} from "@arizeai/openinference-semantic-conventions";
import type { Vendor } from "../provider.ts";
import { writeJson } from "../wire/json.ts";
import { putMessages, type Message } from "./message.ts";

export interface Usage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly total?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  readonly inputAudio?: number | undefined;
  readonly reasoning?: number | undefined;
  readonly outputAudio?: number | undefined;
}

export interface RequestView {
  readonly model?: string | undefined;
  readonly parameters?: unknown;
  readonly messages?: readonly Message[];
  readonly tools?: readonly unknown[];
  /** texts to embed */
  readonly texts?: readonly string[];
}

export interface ResponseView {
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly finish?: readonly string[];
  readonly messages?: readonly Message[];
  readonly usage?: Usage | undefined;
  readonly error?: View["error"];
}

export interface Facts {
  readonly kind: StepKind;
  /** `gen_ai.operation.name` */
  readonly task: string;
  /** wire format: `llm.system` */
  readonly system: string;
  /** null for a host that is not known */
  readonly vendor: Vendor | null;
}

/** OpenInference attributes first, in the order in which they may be cut, then the thin `gen_ai.*` view. */
export function buildView(facts: Facts, asked: RequestView, answered: ResponseView): View {
  const attributes: Attributes = {};
  if (facts.kind === "LLM") putLlm(attributes, facts, asked, answered);
  else if (facts.kind === "EMBEDDING") putEmbedding(attributes, facts, asked, answered);
  putGenAi(attributes, facts, asked, answered);
  const model: View["model"] = {};
  if (asked.model !== undefined) model.asked = asked.model;
  if (answered.model !== undefined) model.answered = answered.model;
  if (answered.fingerprint !== undefined) model.fingerprint = answered.fingerprint;
  return { attributes, model, error: answered.error ?? null };
}

type Attributes = Record<string, AttributeValue>;

function putLlm(attributes: Attributes, facts: Facts, asked: RequestView, answered: ResponseView): void {
  const { usage = {} } = answered;
  put(attributes, {
    [LLM_MODEL_NAME]: answered.model ?? asked.model,
    [LLM_REQUEST_MODEL_NAME]: asked.model,
    [LLM_RESPONSE_MODEL_NAME]: answered.model,
    [LLM_PROVIDER]: facts.vendor?.openinference,
    [LLM_SYSTEM]: facts.system,
    [LLM_INVOCATION_PARAMETERS]: asked.parameters === undefined ? undefined : writeJson(asked.parameters),
    [LLM_FINISH_REASON]: answered.finish?.[0],
    [LLM_TOKEN_COUNT_PROMPT]: usage.input,
    [LLM_TOKEN_COUNT_COMPLETION]: usage.output,
    [LLM_TOKEN_COUNT_TOTAL]: usage.total,
    [LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ]: usage.cacheRead,
    [LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE]: usage.cacheWrite,
    [LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO]: usage.inputAudio,
    [LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING]: usage.reasoning,
    [LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO]: usage.outputAudio,
  });
  putMessages(attributes, LLM_INPUT_MESSAGES, asked.messages ?? []);
  putMessages(attributes, LLM_OUTPUT_MESSAGES, answered.messages ?? []);
  asked.tools?.forEach((tool, n) => (attributes[`${LLM_TOOLS}.${n}.${TOOL_JSON_SCHEMA}`] = writeJson(tool)));
}

/** Vectors stay in `output.value`: as attributes they would double the largest bodies there are. */
function putEmbedding(attributes: Attributes, facts: Facts, asked: RequestView, answered: ResponseView): void {
  put(attributes, {
    [EMBEDDING_MODEL_NAME]: answered.model ?? asked.model,
    [LLM_PROVIDER]: facts.vendor?.openinference,
    [LLM_SYSTEM]: facts.system,
    [LLM_INVOCATION_PARAMETERS]: asked.parameters === undefined ? undefined : writeJson(asked.parameters),
    [LLM_TOKEN_COUNT_PROMPT]: answered.usage?.input,
    [LLM_TOKEN_COUNT_TOTAL]: answered.usage?.total,
  });
  asked.texts?.forEach((text, n) => (attributes[`${EMBEDDING_EMBEDDINGS}.${n}.${EMBEDDING_TEXT}`] = text));
}

/** Names as in the OpenTelemetry registry; that of the fingerprint is OpenAI's own. */
function putGenAi(attributes: Attributes, facts: Facts, asked: RequestView, answered: ResponseView): void {
  put(attributes, {
    "gen_ai.operation.name": facts.task,
    "gen_ai.provider.name": facts.vendor?.genAi,
    "gen_ai.request.model": asked.model,
    "gen_ai.response.model": answered.model,
    "gen_ai.response.id": answered.id,
    "gen_ai.response.finish_reasons": answered.finish?.length ? [...answered.finish] : undefined,
    "gen_ai.usage.input_tokens": answered.usage?.input,
    "gen_ai.usage.output_tokens": answered.usage?.output,
    "openai.response.system_fingerprint": answered.fingerprint,
  });
}

function put(attributes: Attributes, some: Record<string, AttributeValue | undefined>): void {
  for (const [key, value] of Object.entries(some)) if (value !== undefined) attributes[key] = value;
}
