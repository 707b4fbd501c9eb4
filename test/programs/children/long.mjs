// Writes more to a child than is kept.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { model } from "./model.mjs";

await model();
const child = spawn(process.execPath, ["-e", "process.stdin.resume().on('end', () => console.log('done'))"]);
for (let n = 0; n < 9; n++) child.stdin.write("a line of text\n".repeat(70_000));
child.stdin.end("last");
child.stdout.on("data", (text) => console.log(String(text)));
await once(child, "close");
