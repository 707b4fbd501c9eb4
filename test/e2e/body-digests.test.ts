import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Store } from "./reenact.ts";

const CUSTOMER = JSON.stringify({ email: "ann.lee@example.com" });
const PLAIN = JSON.stringify({ state: "open" });
const ANSWER = JSON.stringify({ id: "c", choices: [{ index: 0, message: { role: "assistant", content: "ok" } }] });
const tagOf = (text: string): string => `"${createHash("md5").update(text).digest("hex")}"`;

/** An agent that stores what it has read, with the digests that object stores ask for, and asks for it again by its tag. */
const PROGRAM = `
import { createHash } from "node:crypto";
const base = process.env.API_URL;
const first = await fetch(\`\${base}/customer\`);
const customer = await first.json();
const plain = await fetch(\`\${base}/state\`);
await plain.text();
await (await fetch(\`\${base}/v1/chat/completions\`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "go on" }] }),
})).text();
const body = JSON.stringify({ to: customer.email, note: process.env.NOTE });
const of = (algorithm, encoding) => createHash(algorithm).update(body).digest(encoding);
const headers = {
  "content-type": "application/json",
  "x-amz-content-sha256": of("sha256", "hex"),
  "content-md5": of("md5", "base64"),
  digest: "sha-256=" + of("sha256", "base64"),
  "content-digest": "sha-256=:" + of("sha256", "base64") + ":",
  "x-amz-checksum-sha256": of("sha256", "base64"),
};
await (await fetch(\`\${base}/objects/1\`, { method: "PUT", headers, body })).text();
await (await fetch(\`\${base}/objects/2\`, { method: "PUT", headers: { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" }, body })).text();
const again = await fetch(\`\${base}/customer\`, { headers: { "if-none-match": first.headers.get("etag"), "x-state": plain.headers.get("etag") } });
await again.text();
console.log("done", again.status);
`;

const folder = mkdtempSync(join(tmpdir(), "body-digests-"));
const file = join(folder, "agent.mjs");
const store = new Store();
const seen: string[] = [];
let server: Server;

beforeAll(async () => {
  writeFileSync(file, PROGRAM);
  server = createServer((request, response) => {
    for (const [name, value] of Object.entries(request.headers))
      if (/digest|md5|sha256/.test(name) && !/UNSIGNED/.test(String(value)))
        seen.push(String(value).replace(/^sha-256=:?|:$/g, ""));
    request.resume().on("end", () => {
      const body = request.url === "/customer" ? CUSTOMER : request.url?.startsWith("/v1/") === true ? ANSWER : PLAIN;
      response.setHeader("content-type", "application/json").setHeader("etag", tagOf(body)).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.close();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("no digest of a redacted body is kept, and a run with such digests replays as it was", async () => {
  const env = {
    API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    NOTE: "call +1 415 555 0132",
  };
  const { summary } = await store.run([process.execPath, file], { env });
  expect(summary).toMatchObject({ complete: true, steps: 6 });
  const record = JSON.stringify(readEnvelope(readFileSync(store.path(summary.run ?? ""))).steps, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(seen).toHaveLength(5);
  for (const digest of seen) expect(record).not.toContain(digest);
  expect(record).not.toContain(tagOf(CUSTOMER).slice(1, -1));
  expect(record).toContain(tagOf(PLAIN).slice(1, -1));
  expect(record).toContain("UNSIGNED-PAYLOAD");
  expect(record.match(/DIGEST_[a-z]{4}_[a-z]{16}/g)?.length).toBeGreaterThanOrEqual(7);
  const { code, report } = await store.replay(summary.run ?? "", [process.execPath, file], { env });
  expect(report.divergence ?? null).toBeNull();
  expect(code).toBe(0);
});
