// A support desk over plain fetch, with tools. `node desk.mjs [change]` makes one change to what it does.
import { tool } from "@reenact/node";

const change = process.argv[2] ?? "";
const is = (name) => change === name;

const lookup = is("source")
  ? tool("lookup_order", async ({ id }) => ({ total: 12, id }))
  : tool("lookup_order", async ({ id }) => ({ id, total: 12 }));
const limit = tool("credit_limit", async ({ id }) => ({ id, limit: is("another-limit") ? 50 : 40 }));
const refund = tool(
  is("tool-name") ? "refund_all" : "refund_order",
  async ({ id, amount }) => `refunded ${amount} of ${id}`,
);

async function ask(content, more = {}) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: is("model") ? "scn-echo-random" : "echo-random",
      temperature: is("params") ? 0.5 : 0,
      messages: [
        { role: "system", content: is("system") ? "You are rude." : "You are kind." },
        { role: "user", content },
      ],
      ...more,
    }),
  });
  return response;
}

async function said(content) {
  const { choices } = await (await ask(content)).json();
  return choices[0].message.content.split(" ")[0];
}

// step 1
const intent = await said(is("user") ? "What does Jo want?" : "What does Jane want?");
// steps 2, 3
const both = [() => lookup({ id: 7 }), () => limit({ id: 7 })];
if (is("order")) both.reverse();
if (is("added-before")) both.unshift(() => lookup({ id: 8 }).catch((error) => console.log(error.name)));
const facts = await Promise.all(both.map((look) => look()));
if (is("order")) facts.reverse();
if (is("added-before")) facts.shift();
if (is("drawn")) Math.random();
// step 4
const mood = await said("Is Jane angry?");
// step 5
if (!is("dropped")) console.log(`checked ${await said("Is this fraud?")}`);
if (is("added")) await limit({ id: 9 }).catch((error) => console.log(error.name));
if (is("added-alike")) console.log(await said("Is Jane in a hurry?").catch((error) => `${error.name}`));
// step 6
const plan = await said(`They want ${intent}, are ${mood}, have ${JSON.stringify(facts)}`);
// step 7
const done = is("dropped-tool")
  ? "nothing"
  : await refund({ id: 7, amount: is("argument") ? 13 : 12 }).catch((error) => `no refund: ${error.name}`);
if (is("swallowed")) await lookup({ id: 8 }).catch(() => undefined);
// as SDKs do before a request
Math.random();
// step 8
const stream = await ask(`Say that ${plan} and ${done}`, { stream: true });
let length = 0;
for await (const chunk of stream.body) length += chunk.length;
console.log(`done after ${length} bytes`);
