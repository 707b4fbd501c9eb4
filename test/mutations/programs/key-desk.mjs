// Sends headers of all sorts: by objects, by lists, by a Request. steps: 1 … 6 in the order below
const { API_URL } = process.env;
const as = async (response) => (await response.json()).path;

const common = new Headers({ "x-tenant": "north", accept: "application/json" });
common.append("x-trail", "one");
common.append("x-trail", "two");
const a = await as(await fetch(`${API_URL}/plain`, { headers: common }));
const b = await as(
  await fetch(`${API_URL}/signed`, {
    method: "PUT",
    headers: [
      ["authorization", "Bearer token-of-mine-1"],
      ["content-type", "text/plain; charset=utf-8"],
    ],
    body: "signed text",
  }),
);
const request = new Request(`${API_URL}/request?of=${a.length}`, {
  method: "POST",
  headers: { cookie: "session=blue; theme=dark", "if-match": '"v1"' },
  body: new URLSearchParams({ kind: "form", n: "1" }),
});
const c = await as(await fetch(request));
const form = new FormData();
form.set("title", "A title");
form.set("file", new Blob(["the file's text"], { type: "text/plain" }), "file.txt");
const d = await as(await fetch(`${API_URL}/upload`, { method: "POST", body: form }));
const head = await fetch(`${API_URL}/head`, { method: "HEAD" });
const answer = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json", "openai-organization": "org-one", "x-request-from": "desk" },
  body: JSON.stringify({ model: "gpt-4.1", messages: [{ role: "user", content: [a, b, c, d, head.status].join() }] }),
});
console.log((await answer.json()).choices.length, head.headers.get("content-type"));
