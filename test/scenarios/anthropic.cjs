// node anthropic.cjs <scenario>: the same scenarios with everything loaded by require().
const { default: Anthropic } = require("@anthropic-ai/sdk");
const { zodOutputFormat } = require("@anthropic-ai/sdk/helpers/zod");
const { z } = require("zod");
const { scenarios } = require("./anthropic-scenarios.cjs");
const { main, toolOf } = require("./program.cjs");

void main(scenarios, {
  Anthropic,
  client: (options = {}) => new Anthropic(options),
  z,
  zodOutputFormat,
  loadTool: () => toolOf(async () => require("@reenact/node")),
  loadTelemetry: async () => ({
    NodeSDK: require("@opentelemetry/sdk-node").NodeSDK,
    tracing: require("@opentelemetry/sdk-trace"),
    api: require("@opentelemetry/api"),
  }),
});
