import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CollectorError } from "./collector-error.ts";
import { loadConfig, variables } from "./config.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "config-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, "collector.yaml");
  writeFileSync(path, text);
  return path;
}
const refusal = (input: Parameters<typeof loadConfig>[0]): string => {
  try {
    loadConfig(input);
  } catch (error) {
    expect(error).toBeInstanceOf(CollectorError);
    expect((error as CollectorError).next).not.toBe("");
    return (error as CollectorError).line;
  }
  throw new Error("it was taken");
};

test("without anything it is a collector on loopback in the folder .reenact", () => {
  expect(loadConfig({ env: {} })).toMatchObject({
    data: ".reenact/collector",
    listen: { host: "127.0.0.1", port: 4318 },
    retention: { short: 30 * 86_400_000, sample: 180 * 86_400_000, sampleShare: 0.05 },
    limits: { bodyBytes: 64 * 1024 * 1024 },
    forward: [],
  });
});

test("what is given stands over the environment, that over the file, that over the defaults", () => {
  const path = file("store: from-file\ndata: from-file\npack: { age: 5s, bytes: 1000 }\nlisten: { port: 1 }\n");
  const env = {
    REENACT_COLLECTOR_CONFIG: path,
    REENACT_COLLECTOR_DATA: "from-environment",
    REENACT_COLLECTOR_LISTEN_PORT: "2",
    REENACT_COLLECTOR_PACK_AGE: "250ms",
    REENACT_COLLECTOR_LISTEN_HOSTS: "[a.example, b.example]",
    REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE: "0.5",
    HOME: "/root",
  };
  const config = loadConfig({ env, given: { listen: { port: 3 } } });
  expect(config).toMatchObject({
    store: "from-file",
    data: "from-environment",
    pack: { age: 250, bytes: 1000 },
    listen: { port: 3, hosts: ["a.example", "b.example"] },
    retention: { sampleShare: 0.5 },
  });
});

test("the settings of an image stand below those of the file, whose folders and store are then used", () => {
  const image = join(import.meta.dirname, "../image.yaml");
  const env = { REENACT_COLLECTOR_DEFAULTS: image };
  const ofImage = { data: "/data", store: "/data/store", listen: { host: "0.0.0.0" } };
  expect(loadConfig({ env })).toMatchObject(ofImage);
  const path = file("store: s3://runs/prod\nlisten: { port: 1 }\n");
  expect(loadConfig({ env, file: path })).toMatchObject({
    data: "/data",
    store: "s3://runs/prod",
    listen: { host: "0.0.0.0", port: 1 },
  });
  expect(refusal({ env: { REENACT_COLLECTOR_DEFAULTS: join(folder, "none.yaml") } })).toMatch(/none\.yaml.*ENOENT/);
  const wrong = file("stroe: typo\n");
  expect(refusal({ env: { REENACT_COLLECTOR_DEFAULTS: wrong } })).toContain(`(${wrong}): unknown setting stroe`);
});

test("an empty variable names no file, an empty --config one that is not there", () => {
  const env = { REENACT_COLLECTOR_CONFIG: "", REENACT_COLLECTOR_DEFAULTS: "" };
  expect(loadConfig({ env }).store).toBe(".reenact/store");
  expect(refusal({ env, file: "" })).toContain("ENOENT");
});

test("headers of destinations take secrets from the environment", () => {
  const path = file(
    "forward:\n  - { name: phoenix, url: 'http://h/v1/traces', headers: { authorization: 'Bearer ${PHX_KEY}' } }\n",
  );
  const { forward } = loadConfig({ file: path, env: { PHX_KEY: "secret" } });
  expect(forward[0]).toMatchObject({ headers: { authorization: "Bearer secret" }, view: "full", bytes: "text" });
  expect(refusal({ file: path, env: {} })).toContain("asks for PHX_KEY, which is not set");
});

test("a header that cannot be sent is refused at the start, without telling its value", () => {
  const headers = (key: string) =>
    file(`forward:\n  - { name: a, url: 'http://h/v1/traces', headers: { "${key}": 'Bearer \${PHX_KEY}' } }\n`);
  const line = refusal({ file: headers("authorization"), env: { PHX_KEY: "sk-1234\n" } });
  expect(line).toContain('header "authorization" cannot be sent');
  expect(line).not.toContain("1234");
  expect(refusal({ file: headers("no name"), env: { PHX_KEY: "x" } })).toContain("it is no header name");
});

test.each([
  ["colour: red", "unknown setting colour"],
  ["listen: { prot: 1 }", "listen: unknown setting prot"],
  ["listen: { port: 70000 }", "listen.port: "],
  ["pack: { age: soon }", "pack.age: is no duration"],
  ["retention: { sampleShare: 2 }", "retention.sampleShare: "],
  ["forward: [{ name: a b, url: 'http://h/' }]", "forward.0.name: "],
  ["forward: [{ name: a, url: 'ftp://h/' }]", "forward.0.url: "],
  ["forward: [{ name: a, url: 'http://h/' }, { name: a, url: 'http://i/' }]", "two destinations are named a"],
  ["[1]", "holds no settings"],
  ["a: [", "Flow sequence"],
  ["a: &x [1]\nb: *x", "alias"],
])("%s is refused: %s", (text, why) => {
  const line = refusal({ file: file(text), env: {} });
  expect(line).toContain("BAD_CONFIG");
  expect(line.toLowerCase()).toContain(why.toLowerCase());
});

test.each([
  ["forward: [{ name: a, url: 'https://user:pw@h/' }]", "forward.0.url: holds a password"],
  ["limits: { bodyBytes: 64MiB }", "limits.bodyBytes: is no number of bytes"],
])("%s: %s", (text, why) => {
  const line = refusal({ file: file(text), env: {} });
  expect(line).toContain(why);
  expect(line).not.toContain("pw@");
});

test("a wrong variable is named, and one that is text may look like a number", () => {
  const line = refusal({ file: file("data: here"), env: { REENACT_COLLECTOR_LISTEN_PORT: "abc" } });
  expect(line).toContain("REENACT_COLLECTOR_LISTEN_PORT: ");
  expect(line).not.toContain("collector.yaml");
  const env = { REENACT_COLLECTOR_TENANT: "123", REENACT_COLLECTOR_DATA: "2024" };
  expect(loadConfig({ env })).toMatchObject({ tenant: "123", data: "2024" });
});

test("a variable that is no setting is refused by its name", () => {
  expect(refusal({ env: { REENACT_COLLECTOR_PROT: "1" } })).toContain("REENACT_COLLECTOR_PROT is no setting");
});

test("every setting but lists of objects has a variable, named after its path", () => {
  expect(variables()).toMatchObject({
    REENACT_COLLECTOR_DATA: ["data"],
    REENACT_COLLECTOR_LISTEN_GRPC_PORT: ["listen", "grpcPort"],
    REENACT_COLLECTOR_LISTEN_TLS_CERT: ["listen", "tls", "cert"],
    REENACT_COLLECTOR_S3_PATH_STYLE: ["s3", "pathStyle"],
    REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE: ["retention", "sampleShare"],
  });
});

test.each(["public", "pg_catalog", "information_schema"])("schema %s is not given to the catalog", (schema) => {
  expect(refusal({ env: { REENACT_COLLECTOR_CATALOG_SCHEMA: schema } })).toContain("a rebuild removes the schema");
});

test("a password with a % that is written as it is gets a word about it, and is not shown", () => {
  const told = refusal({ env: { REENACT_COLLECTOR_CATALOG_URL: "postgres://ann:S3cr%zt@db.example.com/runs" } });
  expect(told).toContain("in a password % is %25");
  expect(told).not.toContain("S3cr");
});
