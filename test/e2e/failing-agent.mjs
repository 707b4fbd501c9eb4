/* oxlint-disable -- wrong on purpose */
// An agent that prints the stacks of what fails in it, by itself and in its tools. argv[2]: where the wrappers come from, or "none".
import { kinds, told } from "./failing-kinds.mjs";

const [, , wrappers] = process.argv;
const { tool } = wrappers === "none" ? { tool: (_, fn) => fn } : await import(wrappers);
const body = JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] });
const headers = { "content-type": "application/json" };
await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, { method: "POST", headers, body }).then((r) => r.text());
for (const [kind, fn] of Object.entries(kinds))
  for (const [place, ask] of [
    ["", fn],
    [", in tool()", tool("thrower", fn)],
  ])
    try {
      await ask();
    } catch (error) {
      console.log(`${kind}${place}: ${told(error)}`);
    }
process.exit();
