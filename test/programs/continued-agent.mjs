// A conversation over the SDKs of two providers, and in parallel over the AI SDK, with a tool: `node continued-agent.mjs [more | dares | fails | hangs | mail | drifts | retries | parallel]`.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { tool } from "@reenact/node";

const [, , mode = ""] = process.argv;
// slow to load
const { streamText } = mode === "parallel" ? await import("ai") : {};
const { createOpenAI } = mode === "parallel" ? await import("@ai-sdk/openai") : {};
const openai = new OpenAI({
  baseURL: `${process.env.PROVIDER_URL}/v1`,
  maxRetries: mode === "retries" ? 1 : 0,
});
const anthropic = new Anthropic({ baseURL: process.env.PROVIDER_URL, maxRetries: 0 });
const look = tool("look", async (what) =>
  what === "mail" ? "write to jane.roe.4711@example-mail.org" : `seen ${what}`,
);
const history = [{ role: "system", content: "Be kind." }];

async function ask(text) {
  history.push({ role: "user", content: text });
  const { choices } = await openai.chat.completions.create({ model: "gpt-5", messages: [...history] });
  const said = choices[0].message.content;
  history.push({ role: "assistant", content: said });
  return said;
}

async function askOther(text) {
  const message = await anthropic.messages.create({
    model: "claude-sonnet-5",
    max_tokens: 100,
    messages: [{ role: "user", content: text }],
  });
  return message.content[0].text;
}

async function readOther(prompt) {
  const provider = createOpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1` });
  let said = "";
  for await (const part of streamText({ model: provider("gpt-5"), prompt, maxRetries: 0 }).textStream) said += part;
  return said;
}

async function readStream(text) {
  const stream = await openai.chat.completions.create({
    model: "gpt-5",
    stream: true,
    messages: [{ role: "user", content: text }],
  });
  let said = "";
  for await (const part of stream) said += part.choices[0]?.delta.content ?? "";
  return said;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const clocks = () => [Date.now(), performance.now(), Number(process.hrtime.bigint() / 1000n)];

if (mode === "parallel") {
  // the tick and the slow timer are pending when the later calls are made
  const ticks = [];
  const tick = setInterval(() => ticks.push(clocks()), 20);
  const slow = sleep(150).then(() => "slept");
  const first = await Promise.all([ask("one"), readStream("[[k=6]] two")]);
  const rest = await Promise.all([readStream("[[k=6]] three"), readOther("four"), slow, askOther("five")]);
  await sleep(60);
  clearInterval(tick);
  const isForward = ticks.every((now, n) => n === 0 || now.every((each, kind) => each >= ticks[n - 1][kind]));
  console.log(JSON.stringify({ first, rest, isForward, hasTicked: ticks.length > 2 }));
} else {
  const first = await ask(mode === "drifts" ? "[[other-model]] one" : "one");
  const seen = await look(mode === "mail" ? mode : "a");
  const second = await ask(`two ${seen}`);
  const third = await askOther(`three, after ${second.replace(/\(.*/, "")}`);
  if (mode === "more") await look("b");
  if (mode === "dares") {
    await look("b").catch(() => {});
    await askOther("four").catch(() => {});
  }
  if (mode === "hangs") await sleep(1e8);
  if (mode === "fails") throw new Error("it did not work");
  if (process.env.REACHES) await fetch(process.env.REACHES).catch(() => {});
  console.log(JSON.stringify([first, seen, second, third]));
}
