// A bot around a repository: starts children in tools and beside them, counts in a worker, reads a folder, keeps a cache.
// steps: 1 status · 2 its child · 3 chat · 4 count · 5 its child · 6 chat · 7 commit · 8 its child
import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { tool } from "@reenact/node";

const run = promisify(execFile);
const status = tool("status", async ({ folder }) => (await run("ls", [folder])).stdout.trim().split("\n"));
const count = tool("count", async ({ pattern, files }) => {
  const child = spawn(process.execPath, ["-e", `console.log(${files.length} * ${pattern.length})`]);
  let out = "";
  for await (const chunk of child.stdout) out += chunk;
  return Number(out);
});
const commit = tool("commit", async ({ message, sizes }) => {
  const said = execFileSync("echo", [message, String(sizes.length)]);
  return said.toString().trim();
});

async function complete(messages, more) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: new Headers([
      ["content-type", "application/json"],
      ["x-bot", "builder"],
    ]),
    body: JSON.stringify({ model: "gpt-4.1", temperature: 0.4, messages, ...more }),
  });
  const { choices, usage } = await response.json();
  return { text: choices[0].message.content, tokens: usage.total_tokens };
}

const cacheFile = "cache/sizes.json";
const cache = existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, "utf8")) : {};
const files = readdirSync("src").filter((name) => name.endsWith(".txt"));
const sizes = files.toSorted().map((name) => (cache[name] ??= statSync(join("src", name)).size));
const listed = await status({ folder: "src" });
const plan = await complete([
  { role: "system", content: ["You plan changes.", `Files: ${files.toSorted().join(" ")}`].join("\n") },
  { role: "user", content: `There are ${listed.length} files, ${sizes.reduce((a, b) => a + b, 0)} bytes.` },
]);
const hits = await count({ pattern: "TODO", files });
const table = new Map(files.toSorted().map((name, index) => [name, { size: sizes[index], hits }]));
const draft = await complete(
  [{ role: "user", content: `${plan.text}\n${JSON.stringify(Object.fromEntries(table))}` }],
  hits > 4 ? { max_tokens: 50 } : { max_tokens: 500 },
);
mkdirSync("cache", { recursive: true });
writeFileSync(cacheFile, JSON.stringify(cache));
const message = draft.text.split("\n", 1)[0].slice(0, 12);
try {
  console.log(await commit({ message, sizes }));
} catch (error) {
  console.error(error.stderr?.toString());
  process.exit(2);
} finally {
  console.info("%i tokens", plan.tokens > 0 ? 1 : 0);
}
