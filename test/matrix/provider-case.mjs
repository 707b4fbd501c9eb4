// One case of one client, printed: `node provider-case.mjs <file with CLIENTS> <client> <case>`.
import { setTimeout as sleep } from "node:timers/promises";

const [, , file, name, which] = process.argv;
const { CLIENTS } = await import(file);
const client = CLIENTS[name].make();

/** What a caught error is, without addresses and times. */
const told = (error) =>
  [error.constructor.name, error.name, error.status ?? error.statusCode ?? error.status_code ?? ""].join(" ");

const failing = (call) => call.then(console.log, (error) => console.log(told(error)));

async function streamed(model, signal) {
  let pieces = 0;
  for await (const piece of client.stream(model, signal)) {
    console.log(JSON.stringify(piece));
    pieces += 1;
  }
  return pieces;
}

const CASES = {
  plain: async () => console.log(await client.text("m")),
  stream: async () => console.log(await streamed("m")),
  tools: async () => console.log(await client.tools("scn-tools")),
  parallel: async () =>
    console.log((await Promise.all([client.text("m"), client.text("scn-n"), client.text("echo-random")])).join("\n")),
  error: () => failing(client.text("scn-400")),
  retry: async () => {
    await failing(client.text("scn-429-then-ok"));
    await failing(client.text("scn-429-then-ok"));
  },
  abort: async () => {
    const controller = new AbortController();
    let pieces = 0;
    try {
      for await (const piece of client.stream("scn-stream-slow", controller.signal)) {
        console.log(JSON.stringify(piece));
        if ((pieces += 1) === 3) controller.abort();
      }
      console.log("ended");
    } catch (error) {
      console.log(told(error));
    }
  },
  timeout: async () => {
    const controller = new AbortController();
    const call = failing(client.text("scn-slow", controller.signal));
    // the request has gone out by then, on a loaded machine too
    await sleep(400);
    controller.abort();
    await call;
  },
  cut: () => failing(streamed("scn-cut")),
};

await CASES[which]();
