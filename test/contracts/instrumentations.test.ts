import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeSDKConfiguration } from "@opentelemetry/sdk-node";
import { AnthropicInstrumentation } from "@reenact/instrumentation-anthropic";
import { OpenAIInstrumentation } from "@reenact/instrumentation-openai";
import { describe, expect, test } from "vitest";

/** Fails to compile when one of them no longer fits a NodeSDK. */
const made: NonNullable<NodeSDKConfiguration["instrumentations"]> = [
  new OpenAIInstrumentation({ enabled: false }),
  new AnthropicInstrumentation({ enabled: false, record: true }),
];

describe.each(made.flat())("$instrumentationName", (instrumentation) => {
  test("has the version of its package", () => {
    const folder = instrumentation.instrumentationName.replace("@reenact/", "");
    const manifest = readFileSync(join(import.meta.dirname, "../../packages", folder, "package.json"), "utf8");
    expect(instrumentation.instrumentationVersion).toBe((JSON.parse(manifest) as { version: string }).version);
  });

  test("says what it was told, and can be switched off before it was on", () => {
    expect(instrumentation.getConfig().enabled).toBe(false);
    instrumentation.disable();
    instrumentation.setConfig({});
    expect(instrumentation.getConfig()).toEqual({ enabled: true, record: false });
  });
});
