// Several runs of one agent() at once in one process, each with its own journal.
import { setTimeout as sleep } from "node:timers/promises";
import { agent, tool } from "@reenact/node";

const roll = tool("roll", async (n) => (await sleep(1), `${n} ${Math.random()}`));

export const answer = agent("answer", async (name) => {
  const said = [];
  for (let i = 0; i < 3; i++) {
    await sleep(Math.random() * 4);
    const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "echo-random",
        messages: [{ role: "user", content: `${name} ${i} ${said.at(-1) ?? ""}` }],
      }),
    });
    said.push(`${(await response.json()).choices[0].message.content.split(" ")[0]} ${await roll(i)} ${Date.now()}`);
  }
  return `${name}: ${said.join(" | ")}`;
});

if (process.argv[2] !== "import")
  for (const line of await Promise.all(["ann", "bob", "cid"].map((name) => answer(name)))) console.log(line);
