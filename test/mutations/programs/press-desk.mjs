// A press desk: reads a stream by hand, signs, packs and uploads what the model writes, by a module that is loaded late.
// steps: 1 stream · 2 POST /uploads · 3 GET /search · 4 POST /publish · 5 chat · 6 archive
import { createHash, createHmac } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { tool } from "@reenact/node";

const model = process.env.OPENAI_BASE_URL;
const api = process.env.API_URL;
const json = { "content-type": "application/json" };
const archive = tool("archive", async ({ name, digest, bytes }) => ({ name, digest, bytes: bytes.length }));

async function* linesOf(body) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    yield* lines.filter((line) => line.startsWith("data: "));
  }
}

const { headline, style } = await import("./house-style.mjs");
const answer = await fetch(`${model}/chat/completions`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({ model: "gpt-4.1", stream: true, messages: [{ role: "user", content: style("a launch") }] }),
});
let story = "";
for await (const line of linesOf(answer.body)) {
  if (line === "data: [DONE]") break;
  story += JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "";
}
const shout = new Transform({
  transform(chunk, _, done) {
    done(null, chunk.toString().replaceAll("launch", "Launch"));
  },
});
await mkdir("press", { recursive: true });
await pipeline(Readable.from([headline(story), "\n", story]), shout, createWriteStream("press/story.txt"));
await pipeline(createReadStream("press/story.txt"), createGzip({ level: 9 }), createWriteStream("press/story.gz"));

const form = new FormData();
form.set("title", headline(story));
form.append("tag", "press");
form.append("tag", "launch");
form.set("file", new Blob([story, "\n-- \nthe desk"], { type: "text/plain" }), "story.txt");
const upload = await (await fetch(`${api}/uploads`, { method: "POST", body: form })).json();

const query = new URLSearchParams({ q: "launch", lang: "en" });
query.append("before", new Date(Date.UTC(2026, 4, 1) - 7 * 86_400_000).toISOString());
const found = await (await fetch(`${api}/search?${query}`, { headers: { accept: "application/json" } })).json();

const digest = createHash("sha256").update(story.length.toString()).digest("hex");
const signature = createHmac("sha256", "house").update(`${digest}.${found.sky}`).digest("base64url");
await fetch(`${api}/publish`, {
  method: "POST",
  headers: { "x-digest": digest },
  body: new URLSearchParams([
    ["run", upload.run],
    ["sky", found.sky],
    ["mark", signature],
  ]),
});
const review = await fetch(`${model}/chat/completions`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content: `Review: ${story}` }] }),
});
if (!review.ok) throw new Error(`review: ${review.status}`, { cause: await review.text() });
await archive({ name: "story.txt", digest, bytes: new TextEncoder().encode(story) });
await writeFile("press/index.json", JSON.stringify({ digest, tags: form.getAll("tag"), at: "press" }));
console.log(headline(story));
