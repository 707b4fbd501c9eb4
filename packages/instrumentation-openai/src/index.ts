export { openai } from "./openai.ts";
export { OpenAIInstrumentation, type OpenAIInstrumentationConfig } from "./instrumentation.ts";
