import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { destinationFor, destinationsOf } from "./destination.ts";

const of = (env: Record<string, string>) => destinationsOf(readConfig(env).config, env).destinations;

test("an OTLP endpoint in the environment alone is no destination", () => {
  expect(of({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://apm:4318", OTEL_EXPORTER_OTLP_HEADERS: "key=1" })).toEqual([]);
});

test("a key goes to the very address that it was given for, and to no other one that a spool names", () => {
  const known = of({
    REENACT_ENDPOINT: "https://collector",
    REENACT_API_KEY: "rk_secret",
    REENACT_FORWARD: "https://phoenix",
    REENACT_FORWARD_HEADERS: "authorization=Bearer%20other",
  });
  const headers = (url: string, view: "record" | "openinference") => destinationFor({ url, view }, known).headers;
  expect(headers("https://collector", "record")).toEqual({ authorization: "Bearer rk_secret" });
  expect(headers("https://phoenix/v1/traces", "openinference")).toEqual({ authorization: "Bearer other" });
  expect(headers("https://collector.evil", "record")).toEqual({});
  expect(headers("https://collector", "openinference")).toEqual({});
});

test("headers that two receivers would get are not used, and that is told", () => {
  const env = { REENACT_FORWARD: "http://a,http://b", REENACT_FORWARD_HEADERS: "key=1" };
  expect(of(env).map((each) => each.headers)).toEqual([{}, {}]);
  expect(readConfig(env).problems).toHaveLength(1);
});

test("one address is one destination, also where the standard variables name it again", () => {
  const env = { REENACT_FORWARD: "http://localhost:4318", REENACT_EXPORT: "otel" };
  expect(of(env)).toHaveLength(1);
});
