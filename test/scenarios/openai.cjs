// node openai.cjs <scenario>: the same scenarios with everything loaded by require().
const { default: OpenAI, toFile } = require("openai");
const { zodResponseFormat, zodTextFormat } = require("openai/helpers/zod");
const { z } = require("zod");
const { scenarios } = require("./openai-scenarios.cjs");
const { main, toolOf } = require("./program.cjs");

void main(scenarios, {
  OpenAI,
  client: (options = {}) => new OpenAI(options),
  toFile,
  z,
  zodResponseFormat,
  zodTextFormat,
  loadTool: () => toolOf(async () => require("@reenact/node")),
  loadTelemetry: async () => ({
    NodeSDK: require("@opentelemetry/sdk-node").NodeSDK,
    tracing: require("@opentelemetry/sdk-trace"),
    api: require("@opentelemetry/api"),
  }),
});
