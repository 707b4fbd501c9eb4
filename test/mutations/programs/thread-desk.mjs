// Scores answers of the model in a thread. steps: 1 chat · 2 chat with the score · 3 tool keep
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { tool } from "@reenact/node";
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ maxRetries: 0 });
const keep = tool("keep", async ({ score, best }) => `${best}: ${score}`);
const ask = async (content) => {
  const { content: parts } = await client.messages.create({
    model: "claude-haiku-4-5",
    max_tokens: 100,
    messages: [{ role: "user", content }],
  });
  return parts[0].text;
};

const first = await ask("Name three colours");
const worker = new Worker(new URL("./score.mjs", import.meta.url), { workerData: { factor: 2 } });
worker.postMessage({ words: ["red", "green", "blue"] }, []);
const [{ score, best }] = await once(worker, "message");
await worker.terminate();
const second = await ask(`Scored ${score}, best ${best}. More than ${first.length > 5}?`);
console.log(await keep({ score, best }), second.length > 0);
