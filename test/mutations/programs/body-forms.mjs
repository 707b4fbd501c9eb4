// Sends bodies in many forms: JSON at the edges of numbers and texts, compressed ones, bytes, forms, streams.
// steps: 1 chat · 2 and on: one for each form
import OpenAI from "openai";
import zlib from "node:zlib";
import http from "node:http";
import { once } from "node:events";
const U = process.env.API_URL;
const client = new OpenAI({ maxRetries: 0 });
const post = async (path, body, headers = {}, o = {}) => {
  const r = await fetch(U + path, { method: "POST", body, headers, ...o });
  await r.text();
};
await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "hi" }] });
await post("/big", '{"id": 12345678901234567890}', { "content-type": "application/json" });
await post("/dup", '{"a":1,"a":2}', { "content-type": "application/json" });
await post("/sur", '{"t":"\\ud800x"}', { "content-type": "application/json" });
await post("/prec", '{"v": 0.1}', { "content-type": "application/json" });
await post("/exp", '{"v": 1e400}', { "content-type": "application/json" });
await post("/negz", '{"v": -0}', { "content-type": "application/json" });
await post("/proto", '{"__proto__":{"x":1},"b":1}', { "content-type": "application/json" });
await post("/ndjson", '{"a":1}\n{"a":2}\n', { "content-type": "application/x-ndjson" });
await post("/text", "line one\nline two\n", { "content-type": "text/plain" });
await post("/xml", "<a><b/></a>", { "content-type": "application/xml" });
await post("/jsontext", '{"a": 1}', { "content-type": "text/plain" });
await post("/gz", zlib.gzipSync('{"a":"zip"}'), { "content-type": "application/json", "content-encoding": "gzip" });
await post("/br", zlib.brotliCompressSync("brotli text"), { "content-encoding": "br" });
await post("/zst", zlib.zstdCompressSync("zstd text"), { "content-encoding": "zstd" });
await post("/defl", zlib.deflateSync("deflate text"), { "content-encoding": "deflate" });
await post("/gzgz", zlib.gzipSync(zlib.gzipSync("double")), { "content-encoding": "gzip, gzip" });
await post("/gzno", zlib.gzipSync("no header says gzip"), { "content-type": "application/octet-stream" });
await post("/bytes", new Uint8Array([0, 255, 128, 1, 2, 254]), { "content-type": "application/octet-stream" });
await post("/bad8", new Uint8Array([65, 0xff, 66]), { "content-type": "text/plain" });
await post("/u16", Buffer.from("utf16 text", "utf16le"), { "content-type": "text/plain; charset=utf-16le" });
const form = new FormData();
form.append("a", "1");
form.append("a", "2");
form.append("f", new Blob(["file text"], { type: "text/csv" }), "data.csv");
await post("/form", form);
await post(
  "/url",
  new URLSearchParams([
    ["a", "1"],
    ["b", "2"],
    ["a", "3"],
  ]),
);
await post(
  "/stream",
  new ReadableStream({
    start(c) {
      c.enqueue(new TextEncoder().encode("part1"));
      c.enqueue(new TextEncoder().encode("part2"));
      c.close();
    },
  }),
  {},
  { duplex: "half" },
);
await post("/empty", "", {});
await fetch(U + "/get?x=1&y=%41&z=").then((r) => r.text());
await fetch(U + "/path/a%2Fb/c").then((r) => r.text());
await fetch(U + "/m", { method: "PUT", body: "x" }).then((r) => r.text());
await fetch(U + "/opt", { redirect: "follow" }).then((r) => r.text());
await fetch(new Request(U + "/req", { method: "POST", body: "from request", headers: { "x-own": "1" } })).then((r) =>
  r.text(),
);
const q = http.request(U + "/http", { method: "POST", headers: { "X-Two": ["a", "b"], "content-type": "text/plain" } });
q.write("one ");
q.end("two");
const [res] = await once(q, "response");
res.resume();
await once(res, "end");
await fetch(U + "/report/errors", {
  method: "POST",
  headers: { "content-type": "application/x-sentry-envelope" },
  body: '{"event_id":"1"}\n{"type":"event"}\n{"message":"own"}\n',
}).then((r) => r.text());
await fetch(U + "/v1/traces", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ resourceSpans: [], own: "a" }),
}).then((r) => r.text());
console.log("done");
