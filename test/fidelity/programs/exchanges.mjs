// Sends recorded requests: `node exchanges.mjs <file>`, three at a time, one after the other by `fetch` and `node:http`. Prints the digest of
// each answer.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";

const base = process.env.PROVIDER_URL;
const exchanges = JSON.parse(readFileSync(process.argv[2], "utf8"));

async function byFetch(url, { method, headers, body }) {
  const response = await fetch(url, { method, headers, ...(body === null ? {} : { body }) });
  const hash = createHash("sha256");
  for await (const chunk of response.body ?? []) hash.update(chunk);
  return `${response.status} ${hash.digest("hex")}`;
}

function byHttp(url, { method, headers, body }) {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      const hash = createHash("sha256");
      response.on("data", (chunk) => hash.update(chunk)).on("error", reject);
      response.on("end", () => resolve(`${response.statusCode} ${hash.digest("hex")}`));
    });
    call.on("error", reject).end(body ?? undefined);
  });
}

let next = 0;
async function work() {
  for (let at = next++; at < exchanges.length; at = next++) {
    const { path, body, ...rest } = exchanges[at];
    const sent = { ...rest, body: body === null ? null : Buffer.from(body, "base64") };
    console.log(at, await (at % 2 === 0 ? byFetch : byHttp)(`${base}/${at}${path}`, sent));
  }
}
await Promise.all([work(), work(), work()]);
