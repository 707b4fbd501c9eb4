// A server that answers one question after the other, each in a run of its own: the arguments are the questions, with
// "+" between those that come at once.
import { createServer } from "node:net";
import { agent } from "@reenact/node";

const answer = agent("answer", async (question) => {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: question }] }),
  });
  const { choices } = await response.json();
  return `${question}: ${choices[0].message.content} ${Math.random()}`;
});

const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const answers = new Map();
for (const questions of process.argv.slice(2))
  await Promise.all(questions.split("+").map(async (question) => answers.set(question, await answer(question))));
for (const question of [...answers.keys()].toSorted()) console.log(answers.get(question));
server.close();
