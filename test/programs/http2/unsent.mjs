// Requests whose bodies are not sent whole, one with trailers, one that waits for a 100, paths that no URL keeps, and a session that times out. The argument changes one of them.
import { connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";

const change = process.argv[2];
const session = connect(process.env.SERVER_URL);

/** Prints what came of a request. `send` gets its stream. */
function read(path, headers, send, options) {
  const stream = session.request({ ":path": path, ":method": "POST", ...headers }, options);
  const events = [];
  stream.on("response", (answer) => events.push(answer[":status"]));
  stream.on("data", (bytes) => events.push(`${bytes}`.replace(/drawn \d+/, "drawn")));
  stream.on("error", ({ code }) => events.push(code));
  send(stream);
  return new Promise((resolve) =>
    stream.on("close", () => {
      console.log(path, events.join(""), stream.rstCode);
      resolve();
    }),
  );
}

const whole = (body) => (stream) => stream.end(body);
const large = "x".repeat(300_000);
const content = [{ text: "hi" }];
await read("/model/m/converse", {}, whole(JSON.stringify({ messages: [{ role: "user", content }] })));

await read("/hang", {}, async (stream) => {
  stream.write("a part");
  await sleep(20);
  stream.destroy();
});
await read("/hang", {}, async (stream) => {
  stream.write("a part");
  await sleep(20);
  stream.close(8);
});
await read("/refuse", {}, whole(large));
await read("/half", {}, whole(large));
await read("/empty", {}, whole(large));

await read(change === "path" ? "/x/../b" : "/a/../b", {}, whole("dots"));
await read("/b#one", {}, whole("fragment"));
const trailed = (stream) => {
  stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": change === "trailer" ? "2" : "1" }));
  stream.end("trailed");
};
await read("/text", {}, trailed, { waitForTrailers: true });
// answered though it has not ended
const unended = (stream) => {
  stream.write("another");
  stream.on("end", () => stream.close());
};
await read("/b", {}, change === "unended" ? unended : whole("one"));
const onContinue = (stream) => stream.on("continue", () => stream.end("asked for"));
await read("/continue", { expect: "100-continue" }, onContinue);
await new Promise((resolve) => session.setTimeout(50, resolve));
console.log("timed out");
session.close();
