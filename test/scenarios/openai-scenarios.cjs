const calls = require("./openai-calls.cjs");
const failures = require("./openai-failures.cjs");
const media = require("./openai-media.cjs");
const nodeHttp = require("./node-http.cjs");
const { besideOwnTelemetry } = require("./own-telemetry.cjs");
const streams = require("./openai-streams.cjs");

async function beside(sdk) {
  await besideOwnTelemetry(sdk.loadTelemetry, async () => {
    await calls.success(sdk);
    await streams.stream(sdk);
  });
}

exports.scenarios = { ...calls, ...streams, ...failures, ...media, ...nodeHttp, beside };
