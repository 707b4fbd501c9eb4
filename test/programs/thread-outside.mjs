// thread-outside.mjs <file> [text]: a thread that asks a server and appends to a file; "text": its code is a text.
import { once } from "node:events";
import { appendFile, readFile } from "node:fs/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { call } from "./turns/model.mjs";

if (isMainThread) await agent(...process.argv.slice(2));
else await thread();

async function agent(file, kind) {
  console.log(await call("before the thread"));
  const ofText = ["require('node:worker_threads').parentPort.postMessage('done')", { eval: true }];
  const ofFile = [new URL(import.meta.url), { workerData: { file, url: process.env.PROVIDER_URL }, execArgv: [] }];
  const thread = new Worker(...(kind === "text" ? ofText : ofFile));
  const [said] = await once(thread, "message");
  console.log(await call(said));
}

async function thread() {
  const { file, url } = workerData;
  const asked = await fetch(url).then(
    () => "answered",
    () => "refused",
  );
  await appendFile(file, `${asked}\n`);
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  parentPort.postMessage(lines.length > 0 ? "written" : "lost", []);
}
