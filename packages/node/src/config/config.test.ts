import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { SETTINGS } from "./settings.ts";

const RECIPIENT = `reenact-vault-public:${"a".repeat(43)}`;

const names = Object.keys(SETTINGS);
const values = [
  "",
  " ",
  "1",
  "0",
  "true",
  "TRUE",
  "no",
  "off",
  "maybe",
  "info",
  "DEBUG",
  "loud",
  "250",
  "2.5",
  "-1",
  "1e9",
  "99999999999",
  "./store",
  "s3://bucket/runs",
  "/s",
  "a".repeat(32),
  `${"0f".repeat(16)}:0`,
  `${"0f".repeat(16)}:`,
  "svc",
  "service.name=x,service.version=1.0",
  "k=%zz",
  "http://localhost:4318",
  "https://collector.example/below/",
  "http://a:1/v1/traces, http://b:2",
  "http://user:word@host",
  "http://host/?key=1",
  "full",
  "OpenInference",
  "otel",
  RECIPIENT,
  "=x",
  'k=a%20b, l = "q" ',
];

test("any environment gives a whole configuration, and each wrong value one line", () => {
  const env = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...values), { maxKeys: 6 });
  const usual = readConfig({}).config;
  fc.assert(
    fc.property(env, (given) => {
      const { config, problems } = readConfig(given);
      expect(Object.keys(config)).toEqual(Object.keys(usual));
      expect(Object.values(config)).not.toContain(undefined);
      // a wrong value is the same as none
      const wrong = problems.map((problem) => problem.split(" ")[0] as string);
      const right = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name)));
      expect(readConfig(right)).toEqual({ config, problems: [] });
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["REENACT_STORE", "./runs", { store: resolve("runs") }],
  ["REENACT_DISABLED", "YES", { disabled: true }],
  ["OTEL_SDK_DISABLED", "True", { disabled: true }],
  ["OTEL_SDK_DISABLED", "1", { disabled: false }],
  ["REENACT_LOG", "DEBUG", { log: "debug" }],
  ["REENACT_EXIT_MS", " 2.5 ", { exitMs: 2.5 }],
  ["REENACT_MAX_MB_PER_MIN", "250", { maxMbPerMin: 250 }],
  ["REENACT_CONFIG", "a.json", { configFile: "a.json" }],
  ["REENACT_LAUNCH", "x", { launch: "x" }],
  ["REENACT_ENDPOINT", "http://a:1/v1/traces", { endpoint: "http://a:1" }],
  ["REENACT_API_KEY", "k", { apiKey: "k" }],
  ["REENACT_FORWARD", "http://a:1, http://b:2/x", { forward: ["http://a:1/v1/traces", "http://b:2/x"] }],
  ["REENACT_FORWARD_VIEW", "Full", { forwardView: "full" }],
  ["REENACT_FORWARD_HEADERS", "a=b%20c,d=e", { forwardHeaders: { a: "b c", d: "e" } }],
  ["REENACT_EXPORT", "otel", { exportOtel: true }],
  ["REENACT_VAULT", "off", { vault: false }],
  ["REENACT_VAULT_RECIPIENT", RECIPIENT, { vaultRecipient: RECIPIENT }],
  ["REENACT_VAULT_DAYS", "7", { vaultDays: 7 }],
  ["OTEL_SERVICE_NAME", "svc", { serviceName: "svc" }],
  [
    "OTEL_RESOURCE_ATTRIBUTES",
    "service.name=x,service.version=1.0",
    { serviceName: "x", serviceVersion: "1.0", resource: { "service.name": "x", "service.version": "1.0" } },
  ],
])("%s=%s", (name, value, expected) => {
  expect(readConfig({ [name]: value })).toEqual({ config: { ...readConfig({}).config, ...expected }, problems: [] });
});

test("headers for several addresses are refused and sent to none", () => {
  const { config, problems } = readConfig({
    REENACT_FORWARD: "http://a:1,http://b:2",
    REENACT_FORWARD_HEADERS: "authorization=secret",
  });
  expect(config.forwardHeaders).toEqual({});
  expect(problems).toEqual(["REENACT_FORWARD_HEADERS is used only with one address in REENACT_FORWARD"]);
});

test("the README's table has a row for each setting", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const rows = Array.from(readme.matchAll(/^\| `((?:REENACT|OTEL)_\w+)` \| (.*) \|$/gm), ([, name, means]) => [
    name,
    means,
  ]);
  const wanted = Object.entries(SETTINGS).map(([name, { means }]) => [name, means]);
  expect(rows).toEqual(wanted.filter(([, means]) => means !== null));
});

test("a bad value is reported, and its default is used", () => {
  const { config, problems } = readConfig({ REENACT_EXIT_MS: "soon", REENACT_LOG: "loud" });
  expect(config).toMatchObject({ exitMs: 2000, log: "silent" });
  expect(problems.toSorted()).toEqual([
    "REENACT_EXIT_MS must be a number ≥ 0",
    "REENACT_LOG must be silent, info or debug",
  ]);
});

test("the parent's lane is not part of the run's id", () => {
  expect(readConfig({ REENACT_PARENT: `${"ab".repeat(16)}:0` }).config.parent).toBe("ab".repeat(16));
});

test("a store that is an address is refused, and its words are not shown", () => {
  const { config, problems } = readConfig({ REENACT_STORE: "s3://key:word@bucket/runs" });
  expect(problems).toEqual([expect.stringMatching(/^REENACT_STORE must be a folder/)]);
  expect(problems.join()).not.toContain("word");
  expect(config.store).toMatch(/\.reenact$/);
});
