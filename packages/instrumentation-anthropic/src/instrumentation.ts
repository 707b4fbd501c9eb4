import { trace } from "@opentelemetry/api";
import { DialectInstrumentation, type InstrumentationConfig } from "@reenact/capture/attach";
import { createDialect, provider } from "@reenact/providers";
import { operations } from "@reenact/providers/anthropic";
import { ownSpans } from "./own-spans.ts";

const dialect = createDialect(provider("anthropic"), () => operations);

export type AnthropicInstrumentationConfig = InstrumentationConfig;

/**
 * Anthropic's calls as spans in a user's own NodeSDK: redacted views, with `record: true` the record as well. Such
 * runs do not replay. It sees clients that use the platform's `fetch`, made after it. The SDK has spans of its own;
 * those of recorded calls are withheld, so that a call has one.
 */
export class AnthropicInstrumentation extends DialectInstrumentation {
  constructor(config: AnthropicInstrumentationConfig = {}) {
    const name = "@reenact/instrumentation-anthropic";
    const globalProvider = () => trace.getTracerProvider();
    super({ name, version: "0.1.0", dialect, globalProvider, ownSpans }, config);
  }
}
