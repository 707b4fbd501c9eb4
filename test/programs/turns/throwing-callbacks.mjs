// Callbacks that throw: the handlers of uncaughtException draw, sleep and call inside the run.
import { readFile } from "node:fs";
import { call, print, said } from "./model.mjs";

let thrown = 0;
process.on("uncaughtException", (error) => {
  said(`${error.message} ${Math.random()}`);
  setTimeout(() => said(`slept after ${error.message} ${Date.now()}`), 1);
  call(`what about ${error.message}?`).then((text) => {
    said(text);
    if (++thrown === 4) print();
  });
});

readFile(import.meta.filename, () => {
  throw new Error("from a file");
});
setTimeout(() => {
  throw new Error("from a timer");
}, 3);
setImmediate(() => {
  throw new Error("from an immediate");
});
call("one", { wait: 5 }).then(() =>
  process.nextTick(() => {
    throw new Error("from a tick");
  }),
);
