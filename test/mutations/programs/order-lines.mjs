// Prices the lines of an order, all at once, each with waits of its own; a stream of events and a generator of pages.
// steps: 1 … 4 price, one per line · the model per line · pages · report
import { EventEmitter, on } from "node:events";
import { setInterval as every, setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ maxRetries: 0 });
const price = tool("price", async ({ item }) => {
  await new Promise((done) => setTimeout(done, item.length * 3));
  return item.length * 100;
});
const report = tool("report", async ({ total, lines }) => `${lines} lines, ${total}`);
const lines = ["desk", "chair", "bookcase", "lamp"];

const ask = async (content) => {
  const message = await client.messages.create({
    model: "claude-haiku-4-5",
    max_tokens: 64,
    messages: [{ role: "user", content }],
  });
  return message.content[0].text;
};

const priced = await Promise.all(
  lines.map(async (item, index) => {
    await sleep(5 * (lines.length - index));
    const cents = await price({ item });
    const timer = setTimeout(() => console.log(`${item} takes long`), 5_000);
    const text = await ask(`Describe the ${item} for ${cents}.`);
    clearTimeout(timer);
    await sleep(4);
    return { item, cents, words: text.split(" ").length };
  }),
);

const bus = new EventEmitter();
const stop = new AbortController();
const heard = (async () => {
  const names = [];
  try {
    for await (const [name] of on(bus, "line", { signal: stop.signal })) names.push(name);
  } catch (error) {
    names.push(error.name);
  }
  return names;
})();
for (const { item } of priced) bus.emit("line", item);

async function* pages() {
  let page = 1;
  for await (const _ of every(10)) {
    const response = await fetch(`${process.env.API_URL}/pages/${page}`);
    yield (await response.json()).path;
    if (page === 2) return;
    page += 1;
  }
}
for await (const path of pages()) console.log(path);
stop.abort();
console.log((await heard).join());
console.log(await report({ total: priced.reduce((sum, { cents }) => sum + cents, 0), lines: priced.length }));
