import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const { folder, store } = bench;

/** Prints what redaction replaces for its place, and what no rule finds in a printed line. */
const AGENT = `
const body = JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] });
const headers = { "content-type": "application/json" };
await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", headers, body }).then((r) => r.text());
const answer = await fetch(process.env.SHOP_URL);
console.log(answer.headers.getSetCookie().join(" | "));
const [, theme] = /theme=([^;]*)/.exec(answer.headers.get("set-cookie"));
console.log("theme", theme);
/* more */
`;

async function record(): Promise<{ run: string; stdout: string; env: Record<string, string>; close(): void }> {
  const shop = createServer((_, response) => {
    response.setHeader("set-cookie", ["theme=dark; Path=/", "csrf=Zx81hsKq02mVbnWq91LsPd83; Secure"]).end("ok");
  });
  await once(shop.listen(0, "127.0.0.1"), "listening");
  const SHOP_URL = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
  writeFileSync(join(folder, "agent.mjs"), AGENT);
  const env = { PROVIDER_URL: bench.provider.url, SHOP_URL };
  const { summary, stdout } = await store.run([process.execPath, "agent.mjs"], { cwd: folder, env });
  return { run: summary.run ?? "", stdout, env, close: () => shop.close() };
}

test("values that only their place made redacted are compared by token where a program prints them", async () => {
  const { run, stdout, env, close } = await record();
  close();
  expect(stdout).toContain("theme dark\n");
  const replay = async (from = "", to = "") => {
    writeFileSync(join(folder, "agent.mjs"), AGENT.replace(from, to));
    return await store.replay(run, [process.execPath, "agent.mjs"], { cwd: folder, env });
  };
  const same = await replay();
  expect(same.stdout).not.toContain("dark");
  expect(same.report).toMatchObject({ verdict: "identical", divergence: null });
  expect(same.report.notes.join()).toContain("compared by token");
  const cause = async (from: string, to: string): Promise<string> => {
    const { report } = await replay(from, to);
    expect(report).toMatchObject({ verdict: "diverged", divergence: { verdict: "output-changed" } });
    return report.divergence?.cause ?? "";
  };
  expect(await cause('"theme"', '"colour"')).toContain("the code prints something else now");
  expect(await cause(", theme);", ', "bright");')).toContain("the code prints something else now");
  expect(await cause('.join(" | ")', "[1]")).toContain("the code prints something else now");
  expect(await cause(", theme);", ", theme.slice(0, -2));")).toMatch(
    /header set-cookie of step 2's answer was redacted .*by .*record with a policy/,
  );
});
