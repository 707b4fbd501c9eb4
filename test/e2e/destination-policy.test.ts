import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launch, Store } from "./reenact.ts";

const AGENT = fileURLToPath(new URL("../redaction-proof/small-agent.mjs", import.meta.url));
const COMMAND = [process.execPath, AGENT];
const TEXT = "ask alice.plant@example.com about order E-123456";
const TIMEOUT = 60_000;

let cwd: string;
let store: Store;
let server: Server;
let url = "";
let bodies: string[] = [];
let takes = true;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "reenact-destination-"));
  store = new Store();
  bodies = [];
  takes = true;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (takes) bodies.push(gunzipSync(Buffer.concat(chunks)).toString("utf8"));
      response.writeHead(takes ? 200 : 503).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(cwd, { recursive: true, force: true });
  store.remove();
});

const config = (value: unknown): void => writeFileSync(join(cwd, "reenact.config.json"), JSON.stringify(value));
const STRICT = { name: "strict", patterns: [{ type: "ORDER", pattern: "\\bE-[0-9]{6}\\b" }] };
const options = () => ({ cwd, env: { TEXT, REENACT_FORWARD: url } });

const BIN = fileURLToPath(new URL("../../packages/cli/bin/reenact.js", import.meta.url));
const ship = () => launch([process.execPath, BIN, "ship", "--store", store.folder], options());

test("a receiver gets less than the store, with the same tokens", { timeout: TIMEOUT }, async () => {
  config({
    redaction: { name: "own", allow: { domains: ["example.com"] } },
    destinations: [{ url, redaction: STRICT }],
  });
  const { summary, stderr } = await store.run(COMMAND, options());
  expect(stderr).toBe("");
  const [step] = readEnvelope(readFileSync(store.path(summary.run ?? ""))).steps;
  expect(step?.record.call?.args).toContain(TEXT);
  const sent = bodies.join("\n");
  expect(sent).toMatch(/ask EMAIL_[a-z]{4}_[a-z]{16} about order ORDER_[a-z]{4}_[a-z]{16}/);
  expect(sent).not.toMatch(/alice\.plant|E-123456/);
  // what spans are found by stays
  expect(sent).toContain(summary.run ?? "");
});

test(
  "a receiver gets nothing of a denied place, in JSON and by the name of an attribute",
  { timeout: TIMEOUT },
  async () => {
    writeFileSync(
      join(cwd, "agent.mjs"),
      `import { agent, tool } from ${JSON.stringify(fileURLToPath(new URL("../../packages/node/dist/index.js", import.meta.url)))};
     const look = tool("look", async ({ order }) => ({ order, diagnosis: { text: "asthma-" + order, since: [2019] } }));
     await agent("ward", async () => look({ order: "E-123456" }))();`,
    );
    config({
      redaction: { name: "own" },
      destinations: [{ url, redaction: { name: "ward", paths: { deny: ["**/diagnosis", "reenact/**", "**/order"] } } }],
    });
    const { summary } = await store.run([process.execPath, "agent.mjs"], options());
    expect(readFileSync(store.path(summary.run ?? "")).length).toBeGreaterThan(0);
    const [step] = readEnvelope(readFileSync(store.path(summary.run ?? ""))).steps;
    expect(step?.record.call?.result).toContain("asthma-E-123456");
    const sent = bodies.join("\n");
    expect(sent).toMatch(/"diagnosis":\{"text":"FIELD_/);
    expect(sent).not.toContain("asthma");
    expect(sent).not.toMatch(/"order":"E-123456"/);
  },
);

test(
  "a policy that is gone when the rest is sent: nothing goes there, and the command says why",
  { timeout: TIMEOUT },
  async () => {
    config({ redaction: { off: ["EMAIL"] }, destinations: [{ url, redaction: STRICT }] });
    takes = false;
    await store.run(COMMAND, options());
    takes = true;
    config({ redaction: { off: ["EMAIL"] } });
    const { code, stderr } = await ship();
    expect(bodies).toEqual([]);
    expect([code, stderr]).toEqual([
      expect.any(Number),
      expect.stringMatching(/the policy strict for this destination is not here/),
    ]);
    config({ redaction: { off: ["EMAIL"] }, destinations: [{ url, redaction: STRICT }] });
    expect(await ship()).toMatchObject({ code: 0 });
    expect(bodies.join("\n")).toMatch(/ORDER_[a-z]{4}_/);
    expect(bodies.join("\n")).not.toMatch(/alice\.plant|E-123456/);
  },
);
