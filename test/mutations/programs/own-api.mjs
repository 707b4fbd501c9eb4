// Calls an API of its own in many ways: methods, queries, ids, cookies, forms, files, compressed and binary bodies.
// steps: 1 create · 2 read · 3 list · 4 update · 5 form · 6 upload · 7 gzip · 8 binary · 9 text · 10 delete · 11 model
import { gzipSync } from "node:zlib";

const base = process.env.API_URL;
const HEADERS = { authorization: "Bearer tok-one", "x-tenant": "north", cookie: "session=s1; theme=dark" };

async function send(method, path, { headers = {}, body } = {}) {
  const response = await fetch(`${base}${path}`, { method, headers: { ...HEADERS, ...headers }, body });
  return response.json();
}
const json = (value) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) });

const created = await send("POST", "/threads", json({ title: "Order", tags: ["a", "b"] }));
const read = await send("GET", `/threads/${created.id}/runs/${created.run}`);
const list = await send("GET", "/items?limit=20&after=item_3&sort=asc");
await send(
  "PATCH",
  `/threads/${created.id}`,
  json({ run: read.run, parent: created.id, files: [list.file, list.other] }),
);
await send("POST", "/login", { body: new URLSearchParams({ name: "ida", scope: "read write" }) });
const form = new FormData();
form.append("purpose", "notes");
form.append("file", new Blob(["line one\nline two\n"], { type: "text/plain" }), "notes.txt");
await send("POST", "/files", { body: form });
const events = JSON.stringify({ events: [{ kind: "view", page: 3 }] });
await send("POST", "/events", {
  headers: { "content-type": "application/json", "content-encoding": "gzip" },
  body: gzipSync(events),
});
await send("PUT", "/blobs/7", {
  headers: { "content-type": "application/octet-stream" },
  body: Uint8Array.from([0, 255, 254, 1, 128, 7, 200]),
});
await send("POST", "/notes", { headers: { "content-type": "text/plain" }, body: "a plain note" });
await send("DELETE", `/threads/${created.id}`);
const answer = await send(
  "POST",
  "/v1/chat/completions",
  json({ model: "gpt-4.1", messages: [{ role: "user", content: "Done?" }] }),
);
console.log(answer.choices[0].message.content, read.path);
