// Six jobs through two workers, each a model call and a tool; then a report.
// steps: 1, 2 first jobs · tools and calls alternate · 13 the report
import { tool } from "@reenact/node";

const store = tool("store", async ({ job, text }) => `${job}: ${text.length > 0}`);
const jobs = ["one", "two", "three", "four", "five", "six"];
const LIMIT = 2;

async function complete(content) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-nano", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

const results = [];
let next = 0;
async function worker() {
  while (next < jobs.length) {
    const job = jobs[next++];
    const text = await complete(`Do job ${job}.`);
    results.push(await store({ job, text }));
  }
}
await Promise.all(Array.from({ length: LIMIT }, () => worker()));
console.log(results.toSorted().join("\n"));
console.log(await complete(`Report on ${results.length} jobs.`));
