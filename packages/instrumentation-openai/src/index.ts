export { OpenAIInstrumentation, type OpenAIInstrumentationConfig } from "./instrumentation.ts";
