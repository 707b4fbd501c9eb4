// Requests to the servers of early-servers.mjs. Printed: what came of each, of the first one twice.
import { connect } from "node:http2";
import { agent } from "@reenact/node";

const read = (port, body) =>
  new Promise((resolve) => {
    const session = connect(`http://127.0.0.1:${port}`).on("error", () => {});
    const stream = session.request({ ":path": "/", ":method": "POST" });
    const events = [];
    stream.on("response", (headers) => events.push(headers[":status"]));
    stream.on("data", (bytes) => events.push(String(bytes)));
    for (const event of ["end", "aborted"]) stream.on(event, () => events.push(event));
    stream.on("error", ({ code, message }) => events.push(code, message));
    stream.on("close", () => {
      session.destroy();
      resolve(events.join(" | "));
    });
    stream.end(body);
  });
const [refusing, old, cutting] = process.env.SERVERS.split(",");
console.log("outside", await read(refusing, "x".repeat(300_000)));
await agent("ends", async () => {
  console.log("refused", await read(refusing, "x".repeat(300_000)));
  console.log("old", await read(old, "x"));
  console.log("cut", await read(cutting, "x"));
})();
