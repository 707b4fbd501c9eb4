// Callbacks that throw: the handlers of uncaughtException draw, sleep and call inside the run.
import { readFile } from "node:fs";
import { call, print, said } from "./model.mjs";

const handled = new Map();
process.on("uncaughtException", async (error) => {
  said(`${error.message} ${Math.random()}`);
  setTimeout(() => said(`slept after ${error.message} ${Date.now()}`), 1);
  said(await call(`what about ${error.message}?`).catch((refused) => refused.message));
  handled.get(error.message)();
});

function throwsIn(start, name) {
  const { promise, resolve } = Promise.withResolvers();
  handled.set(name, resolve);
  start(() => {
    throw new Error(name);
  });
  return promise;
}

const inFile = (callback) => readFile(import.meta.filename, callback);
said(await call("first"));
// nothing else goes on: only the completion itself wakes the run
await throwsIn(inFile, "a file");
await throwsIn((callback) => setTimeout(callback, 3), "a timer");
await Promise.all([
  throwsIn(inFile, "another file"),
  throwsIn(setImmediate, "an immediate"),
  throwsIn((callback) => setTimeout(callback, 3), "another timer"),
  call("one", { wait: 5 }).then(() => throwsIn((callback) => process.nextTick(callback), "a tick")),
]);
print();
