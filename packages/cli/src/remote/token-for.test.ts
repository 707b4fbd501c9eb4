import { afterEach, expect, test, vi } from "vitest";
import { tokenFor } from "./token-for.ts";

afterEach(() => vi.unstubAllEnvs());
const options = { store: "no-such-store" };

test("the key of the environment goes where the environment or an option says, and to this machine", () => {
  vi.stubEnv("REENACT_API_KEY", "rk_key");
  vi.stubEnv("REENACT_ENDPOINT", "https://collector.example/v1/traces");
  vi.stubEnv("REENACT_SERVER", "");
  expect(tokenFor("https://collector.example", options)).toBe("rk_key");
  expect(tokenFor("https://Collector.example/api/v1", options)).toBe("rk_key");
  expect(tokenFor("http://127.0.0.1:4318", options)).toBe("rk_key");
  expect(tokenFor("http://[::1]:4318", options)).toBe("rk_key");
  expect(tokenFor("https://other.example", { ...options, server: "https://other.example" })).toBe("rk_key");
  expect(tokenFor("https://other.example", { ...options, from: "https://other.example/x" })).toBe("rk_key");
});

test.each([
  "https://other.example",
  "https://collector.example:444",
  "https://collector.example@other.example",
  "https://collector.example.other.example",
  "https://127.0.0.1.other.example",
  "https://localhost@other.example",
  "https://other.example\\@collector.example",
  "nonsense",
  "https://localhost.other.example:80",
])("a link to %s does not get it", (address) => {
  vi.stubEnv("REENACT_API_KEY", "rk_key");
  vi.stubEnv("REENACT_ENDPOINT", "https://collector.example");
  expect(tokenFor(address, options)).toBeUndefined();
  expect(tokenFor(address, { ...options, token: "mine" })).toBe("mine");
});
