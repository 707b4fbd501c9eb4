// Reviews four files at once, each in two turns, then merges. Plain fetch.
// steps: 1-4 first turns · 5-8 second turns · 9 merge · 10 publish
import { tool } from "@reenact/node";

const publish = tool("publish", async ({ notes, draft }) => `${notes.length} notes, draft: ${draft}`);
const files = ["parser.js", "lexer.js", "printer.js", "main.js"];

async function ask(messages, more = {}) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer none" },
    body: JSON.stringify({ model: "gpt-4.1-mini", temperature: 0, messages, ...more }),
  });
  const body = await response.json();
  return body.choices[0].message.content;
}

async function review(file) {
  const messages = [
    { role: "system", content: "You review code." },
    { role: "user", content: `Review ${file}.` },
  ];
  const first = await ask(messages);
  messages.push({ role: "assistant", content: first }, { role: "user", content: `Be brief on ${file}.` });
  return ask(messages);
}

const notes = await Promise.all(files.map((file) => review(file)));
const merged = await ask([{ role: "user", content: `Merge: ${notes.join(" | ")}` }]);
console.log(merged);
console.log(await publish({ notes, draft: false }));
