// As dropped-call, but a listening server keeps the event loop alive until all have answered.
import { createServer } from "node:net";
import { call } from "./model.mjs";

const server = createServer().listen(0, "127.0.0.1");
const waits = { a: 60, b: 1 };
const names = process.argv[2] === "without-b" ? ["a"] : ["a", "b"];
await Promise.all(names.map((name) => call(name, { wait: waits[name] }).then(() => console.log(name))));
server.close();
console.log("end");
