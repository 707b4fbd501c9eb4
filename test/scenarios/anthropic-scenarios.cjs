const calls = require("./anthropic-calls.cjs");
const failures = require("./anthropic-failures.cjs");
const { besideOwnTelemetry } = require("./own-telemetry.cjs");
const streams = require("./anthropic-streams.cjs");

async function beside(sdk) {
  await besideOwnTelemetry(sdk.loadTelemetry, async () => {
    await calls.success(sdk);
    await streams.stream(sdk);
  });
}

exports.scenarios = { ...calls, ...streams, ...failures, beside };
