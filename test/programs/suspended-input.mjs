// Asks a person before it pays, and another question later: `node suspended-input.mjs [other | several | inside | waits | none]`.
import OpenAI from "openai";
import { input, tool } from "@reenact/node";

const [, , mode = ""] = process.argv;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const openai = new OpenAI({ maxRetries: 0 });
const look = tool("look", async (order) => {
  process.stderr.write("looked\n");
  return `${order}: 4200 cents`;
});
const pay = tool("pay", async (what) => {
  process.stderr.write("paid\n");
  return `paid ${what}`;
});

async function ask(content) {
  const { choices } = await openai.chat.completions.create({ model: "gpt-5", messages: [{ role: "user", content }] });
  return choices[0].message.content.length;
}

const order = tool("order", async (what) => {
  const answer = await input("approve", `Refund ${what}?`);
  process.stderr.write("ordered\n");
  return `${answer} ${what}`;
});

const said = [await ask("one")];
const seen = await look("A-77");
if (mode === "several") {
  said.push(await Promise.all([input("approve", "Pay?"), input("amount", "How much?")]));
} else if (mode === "inside") {
  said.push(await order(seen));
} else if (mode === "waits") {
  await input("approve", "Pay?");
  await sleep(20);
  console.log(await pay(seen));
  await sleep(3000);
} else if (mode !== "none") {
  const answer = await input("approve", mode === "other" ? `Delete ${seen}?` : `Refund ${seen}?`);
  if (answer === "yes") said.push(await pay(seen), await ask("two"));
  said.push(await input("rate", "How was it?"));
}
console.log(JSON.stringify(said));
