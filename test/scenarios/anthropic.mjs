// node anthropic.mjs <scenario>: the provider is the one of ANTHROPIC_BASE_URL.
import Anthropic from "@anthropic-ai/sdk";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { z } from "zod";
import { scenarios } from "./anthropic-scenarios.cjs";
import { main, toolOf } from "./program.cjs";

await main(scenarios, {
  Anthropic,
  client: (options = {}) => new Anthropic(options),
  z,
  zodOutputFormat,
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
