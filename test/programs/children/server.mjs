// A server whose requests share a child, which the first of them starts: `node server.mjs <file for the address>`.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { model } from "./model.mjs";

const waiting = new Map();
let [child, text, asked] = [null, "", 0];
function hear(chunk) {
  const lines = (text + chunk).split("\n");
  text = lines.pop();
  for (const { id, q } of lines.map((line) => JSON.parse(line))) waiting.get(id)?.(q);
}
function ask(q) {
  if (child === null) {
    child = spawn(process.execPath, ["-e", "process.stdin.on('data', (d) => process.stdout.write(d))"]);
    child.stdout.setEncoding("utf8").on("data", hear);
  }
  const id = asked++;
  child.stdin.write(`${JSON.stringify({ id, q })}\n`);
  return new Promise((done) => waiting.set(id, done));
}

const server = createServer(async (request, response) => {
  if (request.url === "/stop") {
    response.end();
    child?.kill();
    return server.close();
  }
  await model();
  const first = await ask(request.url);
  await model();
  response.end(`${first} ${await ask(`${request.url} again`)}`);
});
server.listen(0, "127.0.0.1", () => {
  writeFileSync(process.argv[2], `http://127.0.0.1:${server.address().port}`);
});
