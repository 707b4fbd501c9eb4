// An editor with two sub-agents, one of them with a composite tool, the other with a tool that yields.
import { agent, branch, step, tool } from "@reenact/node";

async function ask(content, more = {}) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content }], ...more }),
  });
  const { choices } = await response.json();
  return choices[0].message.content.slice(0, 60);
}

const fetchPage = tool("fetch_page", async ({ url }) => `page of ${url}`);
const gather = tool("gather", async ({ topic }) => {
  const query = await ask(`A query for ${topic}`);
  const page = await fetchPage({ url: `https://wiki.test/${topic}` });
  return ask(`Sum up ${page} for ${query}`);
});
const outline = tool("outline", async function* ({ parts }) {
  for (let part = 1; part <= parts; part += 1) yield `part ${part}`;
});

const researcher = agent("researcher", async (topic) => {
  const plan = await ask(`Plan research on ${topic}`);
  const facts = await gather({ topic });
  return `${plan} / ${facts}`;
});
const writer = agent("writer", async (topic, facts) => {
  const parts = [];
  for await (const part of outline({ parts: 2 })) parts.push(part);
  const texts = await Promise.all(parts.map((part) => branch(part, () => ask(`Write ${part} on ${topic}`))));
  return `${facts} ${texts.join(" ")}`;
});

const editor = agent("editor", async (topic) => {
  const angle = await ask(`An angle on ${topic}`);
  const facts = await researcher(topic);
  const article = await writer(topic, facts);
  const title = await step("title", async () => ask(`A title for ${article.length} letters`));
  return `${title} (${angle.length > 0})`;
});
console.log(await editor("whales"));
