export { AnthropicInstrumentation, type AnthropicInstrumentationConfig } from "./instrumentation.ts";
