// One API through five clients. steps: 1 axios · 2 got · 3 node-fetch · 4 node:http · 5 axios, form · 6 model
import { request } from "node:http";
import { text } from "node:stream/consumers";
import axios from "axios";
import got from "got";
import fetch from "node-fetch";

const base = process.env.API_URL;

const a = await axios.post(
  `${base}/axios`,
  { kind: "first", n: 1 },
  { params: { page: 2 }, headers: { "x-team": "red" } },
);
const g = await got.put(`${base}/got`, { json: { kind: "second" }, searchParams: { q: "ships" } }).json();
const f = await fetch(`${base}/node-fetch`, { method: "POST", body: "third", headers: { "x-api-key": "key-one" } });
const fetched = await f.json();
const h = await new Promise((resolve, reject) => {
  const call = request(`${base}/http?x=1`, { method: "POST", headers: { "content-type": "text/plain" } }, (answer) => {
    text(answer).then((body) => resolve(JSON.parse(body)), reject);
  });
  call.on("error", reject);
  call.end("fourth");
});
const form = await axios.post(`${base}/form`, new URLSearchParams({ city: "Bern" }));
const answer = await axios.post(`${base}/v1/chat/completions`, {
  model: "gpt-4.1",
  messages: [{ role: "user", content: [a.data, g, fetched, h, form.data].map(({ path }) => path).join() }],
});
console.log(answer.data.choices[0].message.content);
