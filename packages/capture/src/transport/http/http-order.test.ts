import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { within } from "../../run/context.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import { installHttp } from "./http.ts";
import { recordedRun, servedRun } from "../served-run.test.fixture.ts";

let undo: () => void;
let server: http.Server;
let port = 0;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  undo = installHttp();
  const answer = async (req: http.IncomingMessage, res: http.ServerResponse): Promise<void> => {
    const random = (n: number): number => Math.floor(Math.random() * n);
    for await (const _ of req);
    await wait(random(6));
    if (random(12) === 0) return void req.socket.destroy();
    res.statusCode = random(8) === 0 ? 429 : 200;
    for (let n = random(5); n > 0; n--) {
      res.write(`${n}`.repeat(1 + random(40)));
      if (random(2) === 0) await wait(random(4));
    }
    if (random(12) === 0) return void req.socket.destroy();
    res.end("end");
  };
  server = http.createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  undo();
  server.closeAllConnections();
  server.close();
});

/** Numbers from a seed, so that a program makes the same choices each time. */
function choices(seed: number): (n: number) => number {
  let state = seed + 1;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

async function agent(seed: number, at: number): Promise<string[]> {
  const said: string[] = [];
  const pick = choices(seed);
  const pool = new http.Agent({ keepAlive: true, maxSockets: 1 + pick(4) });
  async function call(name: string, depth: number): Promise<void> {
    const req = http.request({
      host: "127.0.0.1",
      port: at,
      path: `/${name}`,
      method: pick(2) === 0 ? "POST" : "GET",
      agent: pick(3) === 0 ? false : pool,
    });
    const stopsAfter = pick(6) === 0 ? pick(3) : Infinity;
    req.on("finish", () => said.push(`${name} finish`)).on("close", () => said.push(`${name} close`));
    const got = new Promise<http.IncomingMessage>((resolve, reject) =>
      req.once("response", resolve).on("error", reject),
    );
    if (req.method === "POST") req.write("some ");
    req.end(req.method === "POST" ? "text" : undefined);
    if (pick(10) === 0) req.destroy();
    try {
      const res = await got;
      said.push(`${name} ${res.statusCode}`);
      let n = 0;
      for await (const chunk of res) {
        said.push(`${name} ${String(chunk)}`);
        if (n++ >= stopsAfter) break;
      }
      if (depth > 0 && pick(2) === 0) await call(`${name}.next`, depth - 1);
    } catch (error) {
      said.push(`${name} ${(error as Error).message}`);
    }
  }
  await Promise.all(Array.from({ length: 2 + pick(5) }, (_, n) => call(`c${n}`, 2)));
  said.push("all");
  await wait(20);
  pool.destroy();
  return said;
}

test("concurrent calls are delivered again in their recorded order", { timeout: 60_000 }, async () => {
  for (let seed = 0; seed < Number(process.env["REENACT_TEST_SEEDS"] ?? 25); seed++) {
    const { run, steps } = recordedRun();
    const recorded = await within(run.frame, () => agent(seed, port));
    const events = run.journal.cut().events;
    const served = servedRun(
      events,
      steps.map((s) => s.exchange as ExchangeDraft),
    );
    const replayed = await within(served.run.frame, () =>
      Promise.race([agent(seed, port), wait(4000).then(() => ["hangs", JSON.stringify(served.left().slice(0, 4))])]),
    );
    expect([seed, replayed]).toEqual([seed, recorded]);
    expect(served.run.journal.cut().events).toBe(events);
  }
});
