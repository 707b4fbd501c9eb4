import { trace } from "@opentelemetry/api";
import { DialectInstrumentation, type InstrumentationConfig } from "@reenact/capture/attach";
import { createDialect, provider } from "@reenact/providers";
import { operations } from "@reenact/providers/openai";

const dialect = createDialect(provider("openai"), () => operations);

export type OpenAIInstrumentationConfig = InstrumentationConfig;

/**
 * OpenAI's calls as spans in a user's own NodeSDK: redacted views, with `record: true` the record as well. Such runs
 * do not replay. It sees clients that use the platform's `fetch`, made after it.
 */
export class OpenAIInstrumentation extends DialectInstrumentation {
  constructor(config: OpenAIInstrumentationConfig = {}) {
    const name = "@reenact/instrumentation-openai";
    super({ name, version: "0.1.0", dialect, globalProvider: () => trace.getTracerProvider() }, config);
  }
}
