export { anthropic } from "./anthropic.ts";
export { AnthropicInstrumentation, type AnthropicInstrumentationConfig } from "./instrumentation.ts";
