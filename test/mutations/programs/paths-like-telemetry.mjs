// A program whose own API has the paths that telemetry has. steps: 1-5 the API · 6 model
import { gzipSync } from "node:zlib";

const base = process.env.API_URL;
async function post(path, body, headers = {}) {
  const response = await fetch(`${base}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return response.json();
}

await post("/v1/traces", JSON.stringify({ order: "A-1", amount: 12 }));
await post("/v1/logs", gzipSync(JSON.stringify({ entry: "opened the gate" })), { "content-encoding": "gzip" });
await post("/runs/batch", gzipSync(JSON.stringify({ post: [{ job: 1, pay: 30 }] })), { "content-encoding": "gzip" });
await post("/api/public/ingestion", JSON.stringify({ rows: [{ id: "r1", value: 5 }] }));
await post("/v1/metrics", Buffer.from([10, 3, 0, 255, 200, 7]), { "content-type": "application/x-protobuf" });
const answer = await post(
  "/v1/chat/completions",
  JSON.stringify({ model: "m", messages: [{ role: "user", content: "Paid?" }] }),
);
console.log(answer.choices[0].message.content);
