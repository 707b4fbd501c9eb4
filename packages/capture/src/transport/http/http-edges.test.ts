import { once } from "node:events";
import http from "node:http";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { within } from "../../run/context.ts";
import { faultCounts } from "../../fault/faults.ts";
import type { ExchangeDraft } from "../../span/step-content.ts";
import { drafts, eachInstalled, listen, text } from "./http-loopback.test.fixture.ts";
import { recordedRun, servedRun } from "../served-run.test.fixture.ts";

eachInstalled();

test("early hints come before the head", async () => {
  const port = await listen(
    http.createServer((_, res) => {
      res.writeEarlyHints({ link: "</a.css>; rel=preload" });
      setTimeout(() => res.end("ok"), 10);
    }),
  );
  const program = async (): Promise<string[]> => {
    const said: string[] = [];
    const req = http.get({ host: "127.0.0.1", port, agent: false });
    req.on("information", (i) => said.push(`${i.statusCode} ${i.rawHeaders.join()}`));
    req.on("response", () => said.push("response"));
    said.push(await text(req));
    return said;
  };
  const plain = await program();
  const { run, steps } = recordedRun();
  expect(await within(run.frame, program)).toEqual(plain);
  expect(steps[0]?.lossy).toEqual(["informational 103"]);
});

test("a run that is over before its call takes nothing from the agent", async () => {
  const port = await listen(
    http.createServer((_, res) => {
      res.write("late ");
      setTimeout(() => res.end("answer"), 20);
    }),
  );
  const { run, steps } = recordedRun();
  const got = within(run.frame, () => text(http.get({ host: "127.0.0.1", port, agent: false })));
  await new Promise((resolve) => setTimeout(resolve, 10));
  run.end({ status: "ok" });
  expect(await got).toBe("200 late answer");
  expect(steps[0]?.state).toBe("ended");
  expect(faultCounts()).toEqual({});
});

test("a request that we cannot read is Node's own", async () => {
  const port = await listen(http.createServer((req, res) => res.end(req.headers.host)));
  const { run, steps } = recordedRun();
  const headers = { host: "no host at all" };
  expect(await within(run.frame, () => text(http.get({ host: "127.0.0.1", port, agent: false, headers })))).toBe(
    "200 no host at all",
  );
  expect(steps).toHaveLength(0);
});

test("a refused answer that is dropped unread is still read for the record", async () => {
  const port = await listen(
    http.createServer((_, res) => {
      res.writeHead(429);
      res.write("slow ");
      setTimeout(() => res.end("down"), 10);
    }),
  );
  const { run, steps } = recordedRun();
  await within(
    run.frame,
    () =>
      new Promise<void>((resolve) => {
        const req = http.get({ host: "127.0.0.1", port, agent: false });
        req.on("error", () => {});
        req.on("response", (res) => {
          res.on("error", () => {});
          req.destroy();
          const until = performance.now() + 5000;
          const look = setInterval(() => {
            if (steps[0]?.state !== "ended" && performance.now() < until) return;
            clearInterval(look);
            resolve();
          }, 10);
        });
      }),
  );
  const [draft] = drafts(steps);
  expect([draft?.end, Buffer.concat(draft?.chunks ?? []).toString(), steps[0]?.state]).toEqual([
    "cancelled",
    "slow down",
    "ended",
  ]);
});

test("what is not in the record is an error of the request", async () => {
  const { run } = servedRun("", []);
  const events: string[] = [];
  await within(
    run.frame,
    () =>
      new Promise<void>((resolve) => {
        const req = http.get("http://127.0.0.1:9/x");
        req
          .on("error", (e) => events.push(e.message))
          .on("close", () => {
            events.push("close");
            resolve();
          });
      }),
  );
  expect(events).toEqual(["not in the record", "close"]);
});

test("a body that redaction has made longer or shorter still arrives whole", async () => {
  const port = await listen(http.createServer((_, res) => res.writeHead(200, { "content-length": 5 }).end("abcde")));
  const program = (): Promise<string> => text(http.get({ host: "127.0.0.1", port, agent: false }));
  for (const other of ["EMAIL_token", "x"]) {
    const { run, steps } = recordedRun();
    await within(run.frame, program);
    const [draft] = drafts(steps) as [ExchangeDraft];
    const served = servedRun(run.journal.cut().events, [{ ...draft, chunks: [Buffer.from(other)] }]);
    expect(await within(served.run.frame, program)).toBe(`200 ${other}`);
  }
});

test("what a listener throws goes where it would have gone", async () => {
  const port = await listen(
    http.createServer((_, res) => {
      res.writeHead(200, { "content-length": 4 }).write("ok");
      setTimeout(() => res.end("ok"), 20);
    }),
  );
  const before = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  const program = async (): Promise<string[]> => {
    const said: string[] = [];
    const uncaught = (e: Error): void => void said.push(`uncaught ${e.message}`);
    process.on("uncaughtException", uncaught);
    await new Promise<void>((resolve) => {
      const req = http.get({ host: "127.0.0.1", port, agent: false }, (res) => {
        for (const name of ["data", "end", "error", "close"]) res.on(name, (x) => said.push(`${name} ${String(x)}`));
        throw new Error("thrown by a listener");
      });
      req.on("error", (e) => said.push(e.message)).on("close", () => setTimeout(resolve, 20));
    });
    process.off("uncaughtException", uncaught);
    return said;
  };
  const plain = await program();
  const { run, steps } = recordedRun();
  const said = await within(run.frame, program);
  for (const listener of before) process.on("uncaughtException", listener);
  expect(said).toEqual(plain);
  expect(said[0]).toBe("uncaught thrown by a listener");
  expect(steps[0]?.state).toBe("ended");
});

test("what a finished write brought about comes before the answer, however early that is there", async () => {
  // in a thread of its own: it answers while this one is busy
  const server = new Worker(
    `const { parentPort } = require("node:worker_threads");
     const server = require("node:http").createServer((req, res) => req.once("data", () => res.end("ok")));
     server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  const [port] = (await once(server, "message")) as [number];
  const program = async (): Promise<string[]> => {
    const agent = new http.Agent({ keepAlive: true });
    const said: string[] = [];
    for (let n = 0; n < 2; n++) {
      const headers = { "content-length": 4 };
      const req = http.request({ host: "127.0.0.1", port, method: "POST", agent, headers });
      req.write("text", () => {
        const until = performance.now() + 40;
        while (performance.now() < until);
        setImmediate(() => {
          said.push("written");
          req.end();
        });
      });
      req.once("response", () => said.push("response"));
      said.push(await text(req));
    }
    agent.destroy();
    return said;
  };
  const plain = await program();
  expect(plain).toEqual(["written", "response", "200 ok", "written", "response", "200 ok"]);
  const { run } = recordedRun();
  expect(await within(run.frame, program)).toEqual(plain);
  await server.terminate();
});
