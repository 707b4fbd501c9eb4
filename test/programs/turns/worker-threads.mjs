// Threads that answer whenever they are done: over their own port, over one that was given to them, by an error, by an end.
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { isMainThread, MessageChannel, parentPort, Worker, workerData } from "node:worker_threads";
import { call, print, said } from "./model.mjs";

if (isMainThread) await agent();
else thread();

function thread() {
  parentPort.on("message", ({ text, port }) => {
    for (const until = performance.now() + Math.random() * 12; performance.now() < until;);
    if (text === "fail") throw new TypeError(`thread ${workerData} fails`);
    if (text === "end") return parentPort.close();
    (port ?? parentPort).postMessage(`${text} by ${workerData}`, []);
    port?.close();
  });
}

async function agent() {
  const options = [{}, { env: { ONLY: "this" } }, { execArgv: [] }];
  const threads = options.map((more, n) => {
    const worker = new Worker(new URL(import.meta.url), { ...more, workerData: n });
    for (const event of ["online", "message", "exit"]) worker.on(event, (what = "") => said(`${n} ${event} ${what}`));
    worker.on("error", (error) => said(`${n} ${error.name} ${error.message}`));
    return worker;
  });
  const job = async (worker, text) => {
    worker.postMessage({ text }, []);
    const [answer] = await once(worker, "message");
    return call(answer);
  };
  for (let round = 0; round < 3; round++) {
    const jobs = threads.map((worker, n) => job(worker, `job ${round}.${n}`));
    const files = Array.from({ length: 5 }, (_, n) => stat(import.meta.filename).then(() => said(`file ${n}`)));
    said((await Promise.all([...jobs, ...files])).join(" | "));
  }
  const { port1, port2 } = new MessageChannel();
  threads[0].postMessage({ text: "apart", port: port2 }, [port2]);
  said(await Promise.race([once(port1, "message").then(([text]) => text), call("beside a port")]));
  const ended = threads.slice(1).map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
  threads[1].postMessage({ text: "fail" }, []);
  threads[2].postMessage({ text: "end" }, []);
  said(await Promise.all(ended));
  said(await threads[0].terminate());
  said(threads[0].listenerCount("message"));
  print();
}
