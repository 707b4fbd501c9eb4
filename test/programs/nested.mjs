// Sub-agents, branches, steps, questions, flags, secrets and generators. argv[2] makes one change.
import { agent, branch, flag, input, sensitive, step, tool } from "@reenact/node";

const is = (name) => process.argv[2] === name;

async function said(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content.split(" ")[0];
}

const leaf = tool("leaf", async (x) => `leaf ${x} ${Math.random()}`);
const composite = tool("composite", async (topic) => {
  const [first, second] = await Promise.all([said(`about ${topic}`), leaf(topic)]);
  return `${first} ${second} ${await said(`more about ${is("inner") ? "nothing" : topic}`)}`;
});
const count = tool("count", function* (n) {
  for (let i = 0; i < n; i++) yield `${i} ${Math.random()}`;
  return "counted";
});
const stream = tool("stream", async function* (n) {
  for (let i = 0; i < n; i++) yield { i, at: Math.random() };
});
const research = agent("research", async (topic) => `${await said(`research ${topic}`)} ${await composite(topic)}`);

console.log(await research("ships"));
console.log(await composite("boats"));
const branches = ["a", "b", "c"].map((key) =>
  branch(key, async () => `${key} ${await said("same question")} ${await said("same question")}`),
);
console.log((await Promise.all(branches)).join());
console.log(await step("plan", async () => `planned ${await said("a plan")} ${Math.random()}`));
console.log(await input("approve", "Go on?"));
if (is("unasked") === false) console.log(await input("reason", "Why?"));
console.log([...count(3)].join());
for await (const { i, at } of stream(3)) console.log(i, at);
sensitive("swordfish-9-4-1");
console.log(await said("the word is swordfish-9-4-1"));
flag("looked at by hand");
