// A research pipeline of async generators: streams that are merged, cut short and raced; the loser is aborted.
import { setTimeout as sleep } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const openai = new OpenAI({ maxRetries: 1 });
const anthropic = new Anthropic({ maxRetries: 1 });
const messages = (content) => [{ role: "user", content }];

async function* words(content, signal) {
  const stream = await openai.chat.completions.create(
    { model: "echo-random", stream: true, messages: messages(content) },
    { signal },
  );
  for await (const chunk of stream) {
    const text = chunk.choices[0]?.delta?.content;
    if (text) yield text;
  }
}

async function* paragraphs(content) {
  const stream = anthropic.messages.stream({ model: "echo-random", max_tokens: 100, messages: messages(content) });
  for await (const event of stream)
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") yield event.delta.text;
  const final = await stream.finalMessage();
  yield `(${final.stop_reason})`;
}

/** Whatever of several sources is there first. */
async function* merged(...sources) {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const next = (index) => iterators[index].next().then((result) => ({ index, result }));
  const pending = new Map(iterators.map((_, index) => [index, next(index)]));
  while (pending.size > 0) {
    const { index, result } = await Promise.race(pending.values());
    if (result.done) pending.delete(index);
    else {
      pending.set(index, next(index));
      yield [index, result.value];
    }
  }
}

async function* take(source, count) {
  let taken = 0;
  for await (const item of source) {
    yield item;
    if (++taken === count) return;
  }
}

for await (const [index, text] of merged(words("one [[k=5]]"), paragraphs("two"), words("three [[k=4]]")))
  console.log(index, text);
const head = [];
for await (const text of take(words("long [[k=6]]"), 2)) head.push(text);
console.log("head", head.length);

const losers = [];
const hedge = async (name, content) => {
  const stop = new AbortController();
  losers.push({ name, stop });
  let text = "";
  for await (const piece of words(content, stop.signal)) text += piece;
  return { name, text };
};
const runs = ["left", "right", "middle"].map((name) => hedge(name, `hedged ${name} [[k=3]]`));
const winner = await Promise.any(runs);
for (const { name, stop } of losers) if (name !== winner.name) stop.abort(new Error("too late"));
console.log("winner", winner.name, winner.text);
for (const run of await Promise.allSettled(runs)) console.log(run.status, run.reason?.name ?? run.value.name);

const either = await Promise.race([
  sleep(12, "nobody"),
  anthropic.messages
    .create({ model: "echo-random", max_tokens: 10, messages: messages("race") })
    .then((m) => m.content[0].text),
]);
console.log(either);
console.log(await Array.fromAsync(take(words("last [[k=6]]"), 99)));
