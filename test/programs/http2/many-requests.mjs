// Many runs over one session, each with an answer of 300 KB. Printed: MB of bytes that are held at the end, --expose-gc.
import { connect } from "node:http2";
import { agent } from "@reenact/node";

const session = connect(process.env.SERVER_URL);
const read = (path) =>
  new Promise((resolve) => {
    const stream = session.request({ ":path": path, ":method": "POST" });
    stream.resume();
    stream.on("close", resolve);
    stream.end(JSON.stringify({ messages: [{ role: "user", content: [{ text: "hi" }] }] }));
  });
const ask = agent("ask", async () => {
  await read("/model/m/converse");
  await read("/long");
});
for (let n = 0; n < 60; n++) await ask();
// another thread of the recorder still reads some of them
let held = Infinity;
for (let n = 0; n < 50 && held > 8; n++) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  gc();
  held = Math.round(process.memoryUsage().arrayBuffers / 1e6);
}
console.log(held);
session.close();
