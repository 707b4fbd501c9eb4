// Keeps notes in files: reads a folder and variables, writes, appends, renames and removes.
// steps: 1 chat on the notes · 2 chat on the mood · 3 tool sign
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const sign = tool("sign", async ({ by, notes }) => `${notes} notes, ${by}`);
const ask = async (content) => {
  const { choices } = await client.chat.completions.create({
    model: "gpt-4.1-nano",
    messages: [
      { role: "system", content: `You answer in ${process.env.NOTES_LANGUAGE}.` },
      { role: "user", content },
    ],
  });
  return choices[0].message.content;
};

const names = (await readdir("notes")).filter((name) => name.endsWith(".txt")).sort();
const texts = await Promise.all(names.map((name) => readFile(join("notes", name), "utf8")));
const sum = await ask(`Sum up: ${texts.join(" / ")}`);
await mkdir("out/new", { recursive: true });
await writeFile("out/sum.txt", `${names.length} notes\n`);
await appendFile("out/sum.txt", `long: ${sum.length > 10}\n`, { mode: 0o644 });
await writeFile("out/draft.txt", "draft");
await rename("out/draft.txt", "out/new/final.txt");
const mood = await ask("What mood are they in?");
const stream = createWriteStream("out/log.csv");
stream.write("name,size\n");
for (const [index, name] of names.entries()) stream.write(`${name},${texts[index].length}\n`);
stream.end(`mood,${mood.length > 3}\n`);
await once(stream, "finish");
await rm("notes/old.tmp");
console.log(await sign({ by: process.env.NOTES_BY ?? "nobody", notes: names.length }));
