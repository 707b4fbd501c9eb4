import { trace } from "@opentelemetry/api";
import { DialectInstrumentation, type InstrumentationConfig } from "@reenact/capture/dialect";
import { openai } from "./openai.ts";

export type OpenAIInstrumentationConfig = InstrumentationConfig;

/**
 * OpenAI's calls as spans in somebody's own NodeSDK: redacted views, with `record: true` the record as well. Such runs
 * do not replay. It sees clients that use the platform's `fetch`, made after it.
 */
export class OpenAIInstrumentation extends DialectInstrumentation {
  constructor(config: OpenAIInstrumentationConfig = {}) {
    const name = "@reenact/instrumentation-openai";
    super({ name, version: "0.1.0", dialect: openai, globalProvider: () => trace.getTracerProvider() }, config);
  }
}
