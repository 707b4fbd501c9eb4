// Keeps answers in files: `node cached.mjs <folder>`. What is in the folder is not asked again.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import OpenAI from "openai";

const client = new OpenAI();
const folder = process.argv[2];
await mkdir(folder, { recursive: true });

async function embed(text) {
  const file = join(folder, `${createHash("sha256").update(text).digest("hex").slice(0, 12)}.json`);
  if (existsSync(file)) return { hit: true, ...JSON.parse(await readFile(file, "utf8")) };
  const { data } = await client.embeddings.create({ model: "text-embedding-3-small", input: text });
  const value = { size: data[0].embedding.length, first: data[0].embedding[0], at: Date.now() };
  await writeFile(`${file}.tmp`, JSON.stringify(value));
  await rename(`${file}.tmp`, file);
  return { hit: false, ...value };
}

for (const text of ["red", "green", "red", "blue", "green"]) console.log(text, await embed(text));
const both = await Promise.all(["new", "newer", "red"].map(embed));
console.log(both);
const names = (await readdir(folder)).toSorted();
console.log(
  names.length,
  (await Promise.all(names.map((name) => stat(join(folder, name))))).every((s) => s.size > 0),
);
const answer = await client.chat.completions.create({
  model: "echo-random",
  messages: [{ role: "user", content: JSON.stringify(both) }],
});
console.log(answer.choices[0].message.content);
await rm(folder, { recursive: true });
