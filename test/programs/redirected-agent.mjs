// Asks two hosts with a key each, the second over `fetch` or undici: `node redirected-agent.mjs [fetch | undici]`.
import Anthropic from "@anthropic-ai/sdk";
import { Agent, interceptors, request } from "undici";

const [, , mode = "fetch"] = process.argv;
// `fetch` takes along such a header to wherever a redirect leads
const keys = { "api-key": process.env.ANTHROPIC_API_KEY };
const asked = (text) => ({
  model: "claude-sonnet-5",
  max_tokens: 100,
  messages: [{ role: "user", content: text }],
});

async function ask(baseURL, text) {
  const { content } = await new Anthropic({ baseURL, maxRetries: 0, defaultHeaders: keys }).messages.create(
    asked(text),
  );
  return content[0].text;
}

async function askDispatcher(baseURL, text) {
  const { body } = await request(`${baseURL}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...keys,
      "anthropic-version": "2023-06-01",
    },
    body: JSON.stringify(asked(text)),
    dispatcher: new Agent().compose(interceptors.redirect({ maxRedirections: 3 })),
  });
  return (await body.json()).content[0].text;
}

const first = await ask(process.env.PROVIDER_URL, "one");
const second = await (mode === "undici" ? askDispatcher : ask)(process.env.OTHER_URL, "two");
console.log(JSON.stringify([first, second]));
