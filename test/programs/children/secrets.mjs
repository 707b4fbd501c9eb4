// Gives its children secrets in each place, and gets them back in pieces: `node secrets.mjs`. SECRETS: JSON, a text for each place.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { model } from "./model.mjs";

const secrets = JSON.parse(process.env.SECRETS);
await model();
// in halves, at times of their own
const code = `
const { out, err, cut } = JSON.parse(process.env.GIVEN);
const halves = (stream, text, at) => { stream.write(text.subarray(0, at)); setTimeout(() => stream.write(text.subarray(at)), 40); };
halves(process.stdout, Buffer.from("\\u20ac key " + out + " \\n"), 20);
halves(process.stderr, Buffer.from("key " + err + "\\n"), 17);
setTimeout(() => halves(process.stdout, Buffer.from("\\u20ac" + cut + "\\n"), 2), 100);
process.stdin.resume();
`;
const { arg, input, variable, sync, ...given } = secrets;
const child = spawn(process.execPath, ["-e", code, arg], {
  env: { ...process.env, SECRETS: "", GIVEN: JSON.stringify(given), API_TOKEN: variable },
});
let length = 0;
for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (length += bytes.length));
child.stdin.write(`token ${input.slice(0, 9)}`);
setTimeout(() => child.stdin.end(input.slice(9)), 20);
await once(child, "close");
console.log(length > 0, spawnSync("cat", { input: `${sync}\n` }).stdout.length > 0);
