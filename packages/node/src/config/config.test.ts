import fc from "fast-check";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { configSchema } from "./config-schema.ts";

const names = [
  "REENACT_STORE",
  "REENACT_DISABLED",
  "REENACT_LOG",
  "REENACT_EXIT_MS",
  "REENACT_MAX_MB_PER_MIN",
  "REENACT_REDACTION_KEY",
  "REENACT_REDACTION_KEY_COMMAND",
  "REENACT_CONFIG",
  "REENACT_PARENT",
  "REENACT_LAUNCH",
  "REENACT_ENDPOINT",
  "REENACT_API_KEY",
  "REENACT_FORWARD",
  "REENACT_FORWARD_VIEW",
  "REENACT_FORWARD_HEADERS",
  "REENACT_EXPORT",
  "REENACT_VAULT",
  "REENACT_VAULT_RECIPIENT",
  "REENACT_VAULT_DAYS",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_SDK_DISABLED",
];
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
  `reenact-vault-public:${"a".repeat(43)}`,
  "=x",
  'k=a%20b, l = "q" ',
];

test("the parser by hand and the schema say the same of any environment", () => {
  const env = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...values), { maxKeys: 6 });
  fc.assert(
    fc.property(env, (given) => {
      const parsed = configSchema.safeParse(given);
      const { config, problems } = readConfig(given);
      expect(problems.length > 0).toBe(!parsed.success);
      if (parsed.success) expect(config).toEqual(parsed.data);
    }),
    { numRuns: 2000 },
  );
});

test("a bad value is said, and its default is used", () => {
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
