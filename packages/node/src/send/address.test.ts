import { expect, test } from "vitest";
import { readForward, readRoot } from "./address.ts";

test("a collector's root has no slash at its end and no path of OTLP", () => {
  expect(readRoot("http://127.0.0.1:4318")).toBe("http://127.0.0.1:4318");
  expect(readRoot("https://host/below/")).toBe("https://host/below");
  expect(readRoot("https://host/v1/traces")).toBe("https://host");
});

test("addresses for spans get the path of OTLP where they have none, once each", () => {
  expect(readForward("http://a:6006, https://b/otlp/v1/traces,http://a:6006/")).toEqual([
    "http://a:6006/v1/traces",
    "https://b/otlp/v1/traces",
  ]);
  expect(readForward(null)).toEqual([]);
});

test.each(["localhost:4318", "ftp://host", "http://user:word@host", "http://host?key=1", "http://host#a", ""])(
  "%s is refused: what could be a key would be written into the spool",
  (text) => {
    expect(readRoot(text)).toBeNull();
    if (text !== "") expect(readForward(`http://a, ${text}`)).toBeNull();
  },
);
