// Writes what the model says to files: a report, a log that grows, a folder of parts, and a removed draft.
import { appendFileSync, createWriteStream, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import OpenAI from "openai";

const client = new OpenAI();
const ask = async (content) => {
  const { choices } = await client.chat.completions.create({
    model: "gpt-4.1-mini",
    messages: [{ role: "user", content }],
  });
  return choices[0].message.content;
};

mkdirSync("out/parts", { recursive: true });
writeFileSync("out/draft.txt", "draft");
const report = await ask("Write the report.");
writeFileSync("out/report.md", `# Report\n\n${report}\n`);
appendFileSync("out/log.txt", "report written\n");
const parts = await Promise.all(["intro", "main"].map((part) => ask(`Write ${part}.`)));
await Promise.all(parts.map((part, index) => writeFile(`out/parts/${index}.txt`, part)));
appendFileSync("out/log.txt", "parts written\n");
const stream = createWriteStream("out/table.csv");
stream.write("name,size\n");
stream.write(`report,${report.length > 0}\n`);
stream.end();
await finished(stream);
writeFileSync("out/summary.tmp", JSON.stringify({ parts: parts.length, ok: true }, null, 2));
renameSync("out/summary.tmp", "out/summary.json");
rmSync("out/draft.txt");
console.log(readFileSync("out/log.txt", "utf8").split("\n").length);
