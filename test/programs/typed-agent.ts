// An agent in TypeScript, for every way of running one.
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { tool } from "@reenact/node";

interface Place {
  readonly city: string;
}

const client = new OpenAI();
const weather = tool("weather", async ({ city }: Place): Promise<string> => {
  await sleep(5);
  return `${city}: ${Math.floor(Math.random() * 1e6)} degrees`;
});

async function ask(content: string): Promise<string> {
  const stream = client.chat.completions.stream({ model: "echo-random", messages: [{ role: "user", content }] });
  return (await stream.finalContent()) as string;
}

const texts: string[] = await Promise.all(["Oslo", "Rome"].map(async (city) => ask(`${await weather({ city })}?`)));
for (const text of texts) process.stdout.write(`${text}\n`);
writeFileSync("report.txt", `${texts.join("\n")}\n${new Date().toISOString()}\n`);
