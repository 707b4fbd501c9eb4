// node openai.mjs <scenario>: the provider is the one of OPENAI_BASE_URL.
import OpenAI, { toFile } from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { scenarios } from "./openai-scenarios.cjs";
import { main, toolOf } from "./program.cjs";

await main(scenarios, {
  OpenAI,
  client: (options = {}) => new OpenAI(options),
  toFile,
  z,
  zodResponseFormat,
  zodTextFormat,
  loadTool: () => toolOf(() => import("@reenact/node")),
  loadTelemetry: async () => {
    const [{ NodeSDK }, tracing, api] = await Promise.all([
      import("@opentelemetry/sdk-node"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/api"),
    ]);
    return { NodeSDK, tracing, api };
  },
});
