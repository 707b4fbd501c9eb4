// One call and one tool: `node short-agent.mjs [exit code] [what the tool says] [how it greets]`.
import { tool } from "@reenact/node";

const [, , code = "0", saying = "fine", greeting = "hello"] = process.argv;
const look = tool("look", async (at) => ({ at, saying }));
const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json", authorization: `Bearer ${process.env.PROVIDER_KEY}` },
  body: JSON.stringify({
    model: "scn-ok",
    messages: [{ role: "user", content: `${greeting} from ${process.env.WHO ?? "nobody"}` }],
  }),
});
const { choices } = await response.json();
console.log(choices[0].message.content);
console.log((await look(new Date().getFullYear())).saying, Math.random());
process.exitCode = Number(code);
