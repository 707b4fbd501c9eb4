import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { assertSafeBind, createAllowList, isLoopback } from "./allow-list.ts";
import { digestKey, loadKeys } from "./keys.ts";
import { startReceiver } from "./receiver.test.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["localhost", true],
  ["::1", true],
  ["[::1]", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["localhost.example", false],
  ["", false],
])("%s is loopback: %s; anything else needs keys", (host, loopback) => {
  expect(isLoopback(host)).toBe(loopback);
  const bind = () => assertSafeBind(host, false);
  if (loopback) bind();
  else expect(bind).toThrow(expect.objectContaining({ code: "UNSAFE_BIND" }));
  assertSafeBind(host, true);
});

describe("allow-list", () => {
  const list = (more: Partial<Parameters<typeof createAllowList>[0]>) =>
    createAllowList({ host: "127.0.0.1", hosts: [], origins: [], keysRequired: false, ...more });

  test("hosts", () => {
    expect(list({})({ host: "evil.example:4318" })).toContain("listen.hosts");
    expect(list({})({})).toBe("no host header");
    expect(list({ hosts: ["*"] })({ host: "any" })).toBeNull();
    expect(list({ keysRequired: true })({ host: "any" })).toBeNull();
    expect(list({ keysRequired: true, hosts: ["only.me"] })({ host: "any" })).toContain("listen.hosts");
    expect(list({ hosts: ["Only.me"] })({ host: "only.ME:1" })).toBeNull();
  });

  test("the page that the collector itself gave out, by a name that it may be called", () => {
    const own = (origin: string, host: string) => list({})({ host, origin });
    expect(own("http://localhost:4318", "localhost:4318")).toBeNull();
    expect(own("http://127.0.0.1:4318", "127.0.0.1:4318")).toBeNull();
    expect(own("https://[::1]", "[::1]")).toBeNull();
    expect(own("http://localhost", "localhost:80")).toBeNull();
    expect(own("http://evil.example:4318", "evil.example:4318")).toContain("listen.hosts");
    for (const origin of [
      "http://localhost:4319",
      "http://127.0.0.1:4318",
      "http://localhost.evil.example:4318",
      "http://localhost:4318@evil.example",
      "http://localhost:4318/",
      "file://localhost:4318",
      "null",
      "",
    ])
      expect(own(origin, "localhost:4318"), origin).toContain("listen.origins");
  });

  test("origins, also where keys are set", () => {
    const page = { host: "localhost", origin: "https://ui.example" };
    expect(list({ keysRequired: true })(page)).toContain("listen.origins");
    expect(list({ origins: ["https://ui.example"] })(page)).toBeNull();
    expect(list({ origins: ["https://ui.example"] })({ ...page, origin: "null" })).toContain("listen.origins");
  });
});

describe("key file", () => {
  const path = join(folder, "keys.yaml");
  test("YAML with digests of keys", () => {
    const lines = [
      "keys:",
      "  - name: ci",
      `    sha256: ${digestKey("secret")}`,
      "    scopes: [ingest]",
      "    tenant: acme",
    ];
    writeFileSync(path, lines.join("\n"));
    const keys = loadKeys(path);
    expect(keys.admit("Bearer secret", "ingest")).toMatchObject({
      is: "known",
      identity: { tenant: "acme", key: "ci" },
    });
    expect(keys.admit("bearer  secret", "read").is).toBe("forbidden");
    expect(keys.admit(`Bearer ${digestKey("secret")}`, "ingest").is).toBe("unauthenticated");
  });

  test.each([
    ["not there", null],
    ["no YAML", "keys: ["],
    ["a key in the clear", `keys: [{name: a, key: secret, scopes: [ingest], tenant: t}]`],
    ["no keys", "keys: []"],
  ])("%s: refused with the file's name", (_name, text) => {
    const file = join(folder, text === null ? "missing" : "bad.yaml");
    if (text !== null) writeFileSync(file, text);
    expect(() => loadKeys(file)).toThrow(
      expect.objectContaining({ code: "BAD_CONFIG", message: expect.stringContaining(file) }),
    );
  });
});

test("TLS", async () => {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-days", "1", "-nodes"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
  const pem = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  const running = await startReceiver({ tls: pem });
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request(`${running.url}/v1/reenact`, { ca: pem.cert, servername: "localhost" }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on("error", reject).end();
  });
  expect(status).toBe(200);
  await running.stop();
});
