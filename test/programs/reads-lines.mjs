// Asks a model about each line of standard input, however it is read: `node reads-lines.mjs loop|data|pipe|readline|file`.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";

async function ask(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

console.log(await ask("are you there?"), process.stdin.isTTY === true ? "typed" : "piped");
const read = {
  loop: () => text(process.stdin),
  data: () =>
    new Promise((resolve) => {
      let all = "";
      process.stdin.on("data", (chunk) => (all += chunk));
      process.stdin.on("end", () => resolve(all));
    }),
  pipe: () => text(process.stdin.pipe(new PassThrough())),
  async readline() {
    const lines = [];
    for await (const line of createInterface({ input: process.stdin })) lines.push(line);
    return lines.join("\n");
  },
  file: () => readFileSync(0, "utf8"),
  none: () => "nothing",
}[process.argv[2]];
console.log(await ask((await read()).trim()));
