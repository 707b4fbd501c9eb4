// server-agent.mjs <runs>: as a server, one short run per request, eight at once; prints what it takes, ten times.
import { agent } from "@reenact/node";
import { plainClient } from "./plain-client.mjs";

const runs = Number(process.argv[2]);
const AT_ONCE = 8;
const client = plainClient();
const handle = agent("handle", async (n) => {
  const messages = [{ role: "user", content: `Where is order A-${n}?` }];
  const wish = `[[${JSON.stringify({ bytes: 300, chunks: 0, turn: n })}]]`;
  const answer = await client.chat.completions.create({ model: "gpt-5-mini", messages, user: wish });
  return answer.choices[0].message.content.length;
});

const MIB = 2 ** 20;
for (let done = 0, said = 0; done < runs; done += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => handle(done + at)));
  if (done + AT_ONCE < said + runs / 10) continue;
  said = done + AT_ONCE;
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ runs: said, rss: rss / MIB, heap: heapUsed / MIB })}\n`);
}
