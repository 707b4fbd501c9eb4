// What a call takes of the agent's thread beside an LLM call of `fetch`: 50 KB each way over `node:http`, and a tool that returns 30 KB of
// text. `node test/bench/ways.mjs [calls]` prints the median of a plain and a recorded process, and what the recorded one takes more.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prose } from "./prose.mjs";

/** How long the provider takes: a model takes longer. Ms. */
const ANSWERS_AFTER = 20;
const calls = process.argv[2] ?? "40";
const agent = fileURLToPath(new URL("ways-agent.mjs", import.meta.url));
const recorder = ["--import", import.meta.resolve("@reenact/node/register")];

let answers = 9e6;
const provider = createServer((request, response) => {
  const answer = () => {
    const content = prose(50 * 1024, answers++);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
  };
  request.resume().on("end", () => setTimeout(answer, ANSWERS_AFTER));
}).listen(0, "127.0.0.1");
await once(provider, "listening");
const store = mkdtempSync(join(tmpdir(), "reenact-bench-"));

const [plain, recorded] = [await taken([]), await taken(recorder)];
for (const way of Object.keys(plain))
  process.stdout.write(
    `${way}: ${plain[way]} µs plain, ${recorded[way]} recorded: ${recorded[way] - plain[way]} more\n`,
  );
provider.close();
rmSync(store, { recursive: true, force: true });

async function taken(flags) {
  const child = spawn(process.execPath, [...flags, agent, String(provider.address().port), calls], {
    env: { ...process.env, REENACT_STORE: store },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the agent ended with ${code}`);
  return JSON.parse(text);
}
