// An agent that ends in the middle of a call: `node ending-agent.mjs <how>`. One chat and one tool are done by then.
import { tool } from "@reenact/node";

const how = process.argv[2];
const base = process.env.PROVIDER_URL;
function ask(content, stream = false) {
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scn-ok", stream, messages: [{ role: "user", content }] }),
  });
}

const look = tool("look", async (what) => `looked at ${String(what)}`);
const answer = await (await ask("first")).json();
console.log(answer.choices[0].message.content);
console.log(await look("it"));

void ask("never answered [[slow]]").catch(() => {});
const stream = await ask("answered slowly [[stream-slow]]", true);
const reader = stream.body.getReader();
await reader.read();
// the requests in flight are out
await new Promise((done) => setTimeout(done, 60));

switch (how) {
  case "exit":
    process.exit(3);
  case "throw":
    throw new TypeError("it broke");
  case "reject":
    void Promise.reject(new RangeError("nobody caught this"));
    break;
  case "handler":
    process.on("SIGTERM", () => process.exit(0));
    process.kill(process.pid, "SIGTERM");
    break;
  case "abort":
    process.abort();
  default:
    process.kill(process.pid, how);
}
await new Promise((done) => setTimeout(done, 20_000));
