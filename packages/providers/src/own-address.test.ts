import { expect, test } from "vitest";
import { isOwnAddress } from "./own-address.ts";

test.each([
  ["openai", "https://api.openai.com/v1"],
  ["openai", "https://API.OpenAI.com:443/v1"],
  ["openai", "https://eu.api.openai.com/v1"],
  ["anthropic", "https://api.anthropic.com/"],
  ["google", "https://us-east1-aiplatform.googleapis.com/"],
  ["bedrock", "https://bedrock-runtime.us-east-1.amazonaws.com/"],
  ["ollama", "http://127.0.0.1:11434/api/chat"],
])("%s answers at %s", (row, url) => {
  expect(isOwnAddress(row, new URL(url))).toBe(true);
});

test.each([
  ["openai", "http://api.openai.com/v1"],
  ["openai", "https://api.openai.com:8443/v1"],
  ["openai", "https://api.openai.com.evil.example/v1"],
  ["openai", "https://api.openai.com@evil.example/v1"],
  ["openai", "https://evilapi.openai.com/v1"],
  ["openai", "https://openrouter.ai/api/v1"],
  // anybody can have a host there
  ["openai", "https://evil.openai.azure.com/"],
  ["bedrock", "https://evil.s3.us-east-1.amazonaws.com/"],
  ["bedrock", "https://bedrock-runtime.evil.s3.amazonaws.com/"],
  ["google", "https://evil.example/-aiplatform.googleapis.com"],
  ["ollama", "http://127.0.0.1:11435/api/chat"],
  ["other", "https://evil.example/"],
  ["no such", "https://api.openai.com/"],
])("%s does not answer at %s", (row, url) => {
  expect(isOwnAddress(row, new URL(url))).toBe(false);
});
