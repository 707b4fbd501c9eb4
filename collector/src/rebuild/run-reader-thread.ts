import { parentPort } from "node:worker_threads";
import { behindTheOthers } from "../seal/thread-priority.ts";
import { type PackChunk, readChunk } from "./run-readers.ts";

behindTheOthers();
const port = parentPort!;

port.on("message", ({ id, chunk }: { id: number; chunk: PackChunk }) => {
  port.postMessage({ id, read: readChunk(chunk) });
});
