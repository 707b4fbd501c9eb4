import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { launch } from "./reenact.ts";

const bench = ownBench();
const pages = createServer((request, response) => {
  if (request.url === "/moved") return void response.writeHead(302, { location: "/", date: "then" }).end();
  response.statusMessage = "Fine";
  response.setHeader("Zed", "1");
  response.setHeader("Content-Type", "text/plain");
  response.setHeader("Vary", ["accept", "origin"]);
  response.setHeader("x'y", "quoted");
  response.setHeader("Date", "then");
  response.setHeader("a-b", "2");
  response.end("text");
});
beforeAll(() => new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve)));
afterAll(() => void pages.close());

const PROGRAM = `import { inspect } from "node:util";
for (const path of ["", "moved"]) {
  const response = await fetch(process.env.PAGES + path);
  const own = (of) => [Object.getOwnPropertyNames(of), Object.getOwnPropertySymbols(of)];
  console.log(inspect(response), own(response), own(response.headers), own(response.body));
  console.log(Object.keys(Object.getOwnPropertyDescriptors(Response.prototype)));
  console.log([...response.headers], JSON.stringify(response), { ...response });
  const copy = response.clone();
  console.log(inspect(copy), own(copy), copy instanceof Response, copy.constructor === Response);
  for (const of of [response, copy])
    for (const change of [() => of.headers.set("a-b", "3"), () => of.headers.append("c", "4"), () => of.headers.delete("a-b"), () => of.headers.set("a b", "5"), () => of.headers.set("a")])
      try { change(); console.log("changed"); } catch (error) { console.log(error.name, error.message); }
  const own_ = new Headers(response.headers);
  own_.set("a-b", "3");
  console.log([...own_], Headers.prototype.set.name, Headers.prototype.set.length, inspect(Headers.prototype.append));
  console.log(inspect(new Response("other", response)), await response.text(), await copy.text());
}
await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", {
  method: "POST",
  body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content: "hi" }] }),
  headers: { "content-type": "application/json" },
});
`;

test("a Response shows what Node's own shows, while it is recorded and in a replay", async () => {
  const file = join(bench.folder, "shows-response.mjs");
  writeFileSync(file, PROGRAM);
  const env = {
    PROVIDER_URL: bench.provider.url,
    PAGES: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`,
  };
  const command = [process.execPath, file];
  const plain = await launch(command, { env });
  expect(plain.stdout).toContain("redirected: true");
  const recorded = await bench.store.run(command, { env });
  expect(recorded.stdout).toBe(plain.stdout);
  const replayed = await bench.store.replay(recorded.summary.run ?? "", command, { env });
  expect(replayed.stdout).toBe(plain.stdout);
  expect(replayed.report.verdict).toBe("identical");
});
