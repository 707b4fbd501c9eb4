// Dies by SIGKILL while an answer is streamed, on whose chunks the program has acted.
import { tool } from "@reenact/node";
import { chunks } from "./model.mjs";

const act = tool("act", async (text) => text.length);
let n = 0;
for await (const chunk of chunks("a long story", { model: "scn-stream-slow" })) {
  console.log(await act(chunk));
  if (++n === 3) process.kill(process.pid, "SIGKILL");
}
