// stall.mjs [--quick] [--verbose] [--acts=…] [--kinds=…] [--mb=…] [--rounds=…]: for how long the recorder makes an agent's event loop stand
// still, by kind and size of a body: the longest stall with the recorder less the longest without, each the least of all
// rounds, since the machine is busy with other things too. Ends with 1 where it is above the bar.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answerOf, eventsOf, KINDS } from "./stall-bodies.mjs";

const BAR_MS = 20;
const MB = 1e6;
const option = (name) =>
  process.argv
    .find((each) => each.startsWith(`--${name}=`))
    ?.split("=")[1]
    ?.split(",");
const quick = process.argv.includes("--quick");
const verbose = process.argv.includes("--verbose");
const acts = option("acts") ?? ["request", "response", "stream", "gzip", "result", "argument", "agent", "output"];
const kinds = option("kinds") ?? (quick ? ["code"] : KINDS);
const sizes = option("mb")?.map(Number) ?? (quick ? [2] : [0.1, 0.5, 1, 2, 5]);
const rounds = Number(option("rounds")?.[0] ?? (quick ? 2 : 5));

const register = new URL("../../packages/node/dist/register.js", import.meta.url).href;
const clock = new URL("stall-clock.mjs", import.meta.url).href;
const agent = fileURLToPath(new URL("stall-agent.mjs", import.meta.url));
const store = mkdtempSync(join(tmpdir(), "stall-"));
const provider = createServer(answer).listen(0, "127.0.0.1");
await once(provider, "listening");
const PROVIDER_URL = `http://127.0.0.1:${provider.address().port}`;

const children = { plain: await start([]), recorded: await start(["--import", register]) };
const jobs = acts.flatMap((act) =>
  kinds
    .filter((kind) => kind !== "binary" || (act !== "stream" && act !== "output"))
    .flatMap((kind) => sizes.map((mb) => ({ act, kind, bytes: Math.round(mb * MB) }))),
);
const longest = new Map(jobs.map((job) => [job, { plain: [], recorded: [] }]));
let seed = 10;
for (let round = 0; round < rounds; round++)
  for (const job of jobs)
    for (const side of round % 2 === 0 ? ["plain", "recorded"] : ["recorded", "plain"]) {
      const ms = await ask(children[side], { ...job, seed: seed++, quietMs: 100 + (job.bytes / MB) * 200 });
      longest.get(job)[side].push(ms);
      if (verbose) process.stderr.write(`${side} ${job.act} ${job.kind} ${job.bytes / MB} MB: ${ms.toFixed(1)} ms\n`);
    }

for (const child of Object.values(children)) {
  child.disconnect();
  await once(child, "exit");
}
provider.close();
provider.closeAllConnections();
rmSync(store, { recursive: true, force: true });

process.stdout.write(
  `| act | body | MB | plain ms | recorded ms | added ms (least) | added (median) |\n| --- | --- | --- | --- | --- | --- | --- |\n`,
);
let over = 0;
for (const [{ act, kind, bytes }, { plain, recorded }] of longest) {
  const added = Math.min(...recorded) - Math.min(...plain);
  if (added > BAR_MS) over++;
  const cells = [
    act,
    kind,
    bytes / MB,
    ...[Math.min(...plain), Math.min(...recorded), added, median(recorded) - median(plain)].map((ms) => ms.toFixed(1)),
  ];
  process.stdout.write(`| ${cells.join(" | ")} |${added > BAR_MS ? " over" : ""}\n`);
}
process.stdout.write(`${over} of ${longest.size} above ${BAR_MS} ms\n`);
process.exitCode = over === 0 ? 0 : 1;

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

async function start(execArgv) {
  const env = { ...process.env, NODE_OPTIONS: "", PROVIDER_URL, REENACT_STORE: store, REENACT_EXIT_MS: "0" };
  const child = fork(agent, [], {
    execArgv: ["--import", clock, ...execArgv, ...(process.env.STALL_ARGS?.split(" ") ?? [])],
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}

async function ask(child, job) {
  child.send(job);
  const [{ ms }] = await once(child, "message");
  return ms;
}

function answer(request, response) {
  const query = new URL(request.url, PROVIDER_URL).searchParams;
  request.resume().on("end", () => {
    const { kind, bytes = 0, seed: n = 1, stream } = Object.fromEntries(query);
    if (stream !== undefined) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of eventsOf(kind, Number(bytes), Number(n))) response.write(event);
      response.end();
      return;
    }
    const [type, body] = kind === undefined ? ["application/json", "{}"] : answerOf(kind, Number(bytes), Number(n));
    const gzip = query.has("gzip");
    response.writeHead(200, { "content-type": type, ...(gzip && { "content-encoding": "gzip" }) });
    response.end(gzip ? gzipSync(body) : body);
  });
}
