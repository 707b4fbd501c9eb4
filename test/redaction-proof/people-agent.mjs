// Speaks of people: over HTTP before its run has begun, in tools side by side, on its output; with `NESTED` in a
// run of its own, too.
// `BAD`: words that texts of its begin with; `HANG`: it stays behind such a text, and says so. `EXIT`: it ends itself the moment its last tool has answered.
import { agent, instrument, tool } from "@reenact/node";

if (process.env.IN_CODE === "1")
  instrument({ redaction: { detectors: [{ name: "later", type: "NAME", findLater: async () => [] }] } });
const who = process.env.WHO ?? "";
const ask = tool("ask", async (text) => ({ heard: text }));
if (process.env.HANG !== undefined) {
  await ask(`hangs ${who}`);
  // what is to be done at once has been done a moment later
  setTimeout(() => console.log("settled"), 100);
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
const page = await (await fetch(`${process.env.PAGE}/people/${encodeURIComponent(who)}`)).text();
const heard = await Promise.all([
  ask(`first ${who}`),
  ask({ deep: [`second ${who}`, page] }),
  ask(`nobody ${process.argv[2] ?? ""}`),
]);
const nested = agent(`about ${who}`, async (question) => {
  await ask(`${question} inside`);
  return `answer: ${who}`;
});
console.log(JSON.stringify({ heard, said: process.env.NESTED === "1" ? await nested(`who is ${who}?`) : "" }));
for (const bad of (process.env.BAD ?? "").split(",")) if (bad !== "") await ask(`${bad} ${who}`);
if (process.env.EXIT !== undefined) {
  await ask(`last ${who}`);
  process.exit(0);
}
