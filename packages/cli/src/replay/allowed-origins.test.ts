import { expect, test } from "vitest";
import { allowedOrigins } from "./allowed-origins.ts";

test.each([
  ["LLM.example.com", ["https://llm.example.com", "http://llm.example.com"]],
  ["localhost:8080", ["https://localhost:8080", "http://localhost:8080"]],
  ["[::1]:8080", ["https://[::1]:8080", "http://[::1]:8080"]],
  ["https://llm.example.com:443/v1", ["https://llm.example.com"]],
  ["HTTP://[0:0:0:0:0:0:0:1]/", ["http://[::1]"]],
  // the host of an address stands behind its last @
  ["https://api.openai.com@llm.example.com/v1", ["https://llm.example.com"]],
])("--to %s", (to, origins) => {
  expect(allowedOrigins([to], {})).toEqual(origins);
});

test.each(["", "a b", "a@b", "ftp://a", "/v1", "a:b:c"])("--to %j is refused", (to) => {
  expect(() => allowedOrigins([to], {})).toThrow("it is no host");
});

test("variables of the caller that name a recipient", () => {
  const own = {
    OPENAI_BASE_URL: "https://llm.example.com/v1",
    OLLAMA_HOST: "10.0.0.5:11434",
    HTTPS_PROXY: "http://proxy.example:3128",
    npm_config_registry: "https://registry.example/",
    DATABASE_URL: "postgres://db.example/",
    NAME: "api.example.com",
    EMPTY_HOST: "",
  };
  expect(allowedOrigins([], own)).toEqual([
    "https://llm.example.com",
    "https://10.0.0.5:11434",
    "http://10.0.0.5:11434",
  ]);
});
