// An agent that is an asynchronous generator: each of its calls is a run, which lasts as long as it is read.
import { createServer } from "node:net";
import { agent, tool } from "@reenact/node";

const pick = tool("pick", async (n) => `picked ${n} ${Math.random()}`);
const answer = agent("answer", async function* (topic) {
  for (let n = 0; n < 3; n++) {
    const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: `${topic} ${n}` }] }),
    });
    const { choices } = await response.json();
    yield `${choices[0].message.content} ${await pick(n)}`;
  }
  return topic;
});

// a server: nothing here is in the run of the process
const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
for await (const text of answer("whole")) console.log(text);
for await (const text of answer("half")) {
  console.log(text);
  break;
}
server.close();
