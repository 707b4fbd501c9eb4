import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../config/config.ts";
import { destinationFor, destinationsOf } from "./destinations.ts";

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

test("a policy of its own: for receivers by the beginning of their address, never for the collector", () => {
  const folder = mkdtempSync(join(tmpdir(), "destination-"));
  const file = join(folder, "reenact.config.json");
  const env = {
    REENACT_CONFIG: file,
    REENACT_ENDPOINT: "https://collector",
    REENACT_FORWARD: "https://phoenix/spaces/a,https://phoenix.evil",
  };
  const targets = (destinations: unknown) => {
    writeFileSync(file, JSON.stringify({ destinations }));
    const found = destinationsOf(readConfig(env).config, env);
    return {
      problems: found.problems,
      policies: found.destinations.map(({ target, redaction }) => [target.url, target.redaction, redaction?.name]),
    };
  };
  expect(targets([{ url: "https://PHOENIX:443", redaction: { name: "strict" } }])).toEqual({
    problems: [],
    policies: [
      ["https://collector", undefined, undefined],
      ["https://phoenix/spaces/a", "strict", "strict"],
      ["https://phoenix.evil/v1/traces", undefined, undefined],
    ],
  });
  expect(targets([{ url: "https://collector", redaction: {} }])).toMatchObject({
    problems: [expect.stringMatching(/^https:\/\/collector: .*a collector gets the record itself/)],
    policies: [
      ["https://phoenix/spaces/a", undefined, undefined],
      ["https://phoenix.evil/v1/traces", undefined, undefined],
    ],
  });
  // what is wrong with the file keeps everything here
  expect(targets([{ url: "https://phoenix", redaction: { detectors: [] } }])).toMatchObject({
    problems: [expect.stringMatching(/destinations\.0\.redaction/)],
    policies: [],
  });
  rmSync(folder, { recursive: true });
});

test("a spool that names a policy is not sent without it", () => {
  const target = { url: "https://phoenix/v1/traces", view: "openinference", redaction: "strict" } as const;
  const known = of({ REENACT_FORWARD: "https://phoenix" });
  expect(destinationFor(target, known)).toMatchObject({ target: { redaction: "strict" } });
  expect(destinationFor(target, known).redaction).toBeUndefined();
  expect(destinationFor(target, []).target.redaction).toBe("strict");
});
