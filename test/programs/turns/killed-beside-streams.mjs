// Dies by SIGKILL while two answers are streamed, on whose chunks no tool has acted.
import { call, chunks } from "./model.mjs";

async function read(name) {
  for await (const chunk of chunks(name, { model: "scn-stream-slow" })) console.log(name, chunk.length > 0);
}

void read("a");
void read("b");
console.log(await call("beside", { wait: 60 }));
process.kill(process.pid, "SIGKILL");
