import { expect, test } from "vitest";
import { otelDestination } from "./otel-destination.ts";

const of = (env: Record<string, string>) => otelDestination(env, "openinference");

test("without any variable it is the standard's default", () => {
  expect(of({})).toEqual({
    target: { url: "http://localhost:4318/v1/traces", view: "openinference" },
    traces: "http://localhost:4318/v1/traces",
    headers: {},
    timeoutMs: 10_000,
    gzip: false,
    tls: {},
  });
});

test("what is said for traces comes first, and its address is used as it is", () => {
  const found = of({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://general:4318",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://own/path",
    OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=2",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=3%2C4",
    OTEL_EXPORTER_OTLP_TIMEOUT: "5000",
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "250",
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_CERTIFICATE: "/ca.pem",
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: "/cert.pem",
    OTEL_EXPORTER_OTLP_CLIENT_KEY: "/key.pem",
  });
  expect(found).toMatchObject({
    traces: "https://own/path",
    headers: { a: "1", b: "3,4" },
    timeoutMs: 250,
    gzip: true,
    tls: { ca: "/ca.pem", cert: "/cert.pem", key: "/key.pem" },
  });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "PROTOCOL must be http/protobuf"],
  [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" }, "PROTOCOL must be http/protobuf"],
  [{ OTEL_EXPORTER_OTLP_COMPRESSION: "zstd" }, "COMPRESSION must be gzip or none"],
  [{ OTEL_EXPORTER_OTLP_TIMEOUT: "soon" }, "TIMEOUT must be milliseconds"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }, "ENDPOINT must be an http"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "no value" }, "HEADERS must be name=value"],
])("%j is refused with one line", (env, line) => {
  expect(of(env)).toEqual({ error: expect.stringContaining(line) });
});
