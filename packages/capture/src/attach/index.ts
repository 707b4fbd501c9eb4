// What an OpenTelemetry instrumentation of one provider is built from; apart from the main entry, which every agent loads.
export { attachStepsAside } from "./attach.ts";
export {
  DialectInstrumentation,
  type DialectParts,
  type InstrumentationConfig,
  type OwnSpans,
} from "./instrumentation.ts";
