import { afterEach, expect, test, vi } from "vitest";
import { placeOptions } from "./place-options.ts";

afterEach(() => vi.unstubAllEnvs());

test("a further command names what is not the default, and nothing else", () => {
  vi.stubEnv("REENACT_STORE", undefined);
  expect(placeOptions({ store: ".reenact" })).toBe("");
  expect(placeOptions({ store: `${process.cwd()}/.reenact` })).toBe("");
  expect(placeOptions({ store: "/tmp/my runs" })).toBe(" --store '/tmp/my runs'");
  expect(placeOptions({ store: ".reenact", server: "http://127.0.0.1:4318" })).toBe(" --server http://127.0.0.1:4318");
  expect(placeOptions({ store: ".reenact", from: "s3://b/p", s3Endpoint: "http://127.0.0.1:9000" })).toBe(
    " --from s3://b/p --s3-endpoint http://127.0.0.1:9000",
  );
  vi.stubEnv("REENACT_STORE", "/tmp/x");
  expect(placeOptions({ store: "/tmp/x" })).toBe("");
  expect(placeOptions({ store: ".reenact" })).toBe(" --store .reenact");
});
