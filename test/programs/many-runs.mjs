// many-runs.mjs <n>: so many short runs in one process.
import { agent, tool } from "@reenact/node";

const count = tool("count", (n) => n + 1);
const handle = agent("handle", (n) => count(n));
for (let n = 0; n < Number(process.argv[2]); n++) await handle(n);
