import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { within } from "../../run/context.ts";
import { originals } from "../../patch/originals.ts";
import type { Run } from "../../run/run.ts";
import { watchFetch } from "./fetch.ts";
import { recordedRun, servedRun } from "../served-run.test.fixture.ts";

type Chunks = () => readonly unknown[];

/** An agent's own `fetch`, as a test of its has one: an answer of ready chunks. */
const fetchOf =
  (chunks: Chunks): typeof fetch =>
  async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const chunk of chunks()) controller.enqueue(chunk);
          controller.close();
        },
      }),
    );

/** Two calls; their texts, or the name of what was thrown. */
async function program(ask: typeof fetch): Promise<string[]> {
  const said: string[] = [];
  for (const n of [1, 2]) {
    try {
      said.push(await (await ask(`http://h/${n}`)).text());
    } catch (error) {
      said.push((error as Error).name);
    }
  }
  return said;
}

const inRun = <T>(run: Run, fn: () => T): T => within(run.frame, fn);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const once = [bytes("kept "), Buffer.from("by its source")];
const none = new Uint8Array();

test.each<[string, Chunks]>([
  ["chunks that their source hands out again", () => once],
  ["empty chunks", () => [none, bytes("a"), none, none, bytes("b"), none]],
  ["a chunk that is no bytes", () => [bytes("a"), "text"]],
])("%s: the agent sees what it would see without us, and so in a replay", async (_, chunks) => {
  const plain = await program(fetchOf(chunks));
  const { run, steps } = recordedRun();
  expect(await inRun(run, () => program(watchFetch(fetchOf(chunks))))).toEqual(plain);
  run.end({ status: "ok" });
  const exchanges = steps.map((step) => step.exchange as NonNullable<typeof step.exchange>);
  const served = servedRun(run.journal.cut().events, exchanges);
  const gone: typeof fetch = () => Promise.reject(new Error("network"));
  expect(await inRun(served.run, () => program(watchFetch(gone)))).toEqual(plain);
});

test("a stream is sent only as the real fetch would send it", async () => {
  const refusing: typeof fetch = (input, init) =>
    Promise.reject(new TypeError(init !== undefined && "duplex" in init ? "sent" : "duplex is missing"));
  const { run } = recordedRun();
  const ask = (init: object): Promise<Response> =>
    inRun(run, () =>
      watchFetch(refusing)("http://h/", { method: "POST", body: new ReadableStream(), ...init } as RequestInit),
    );
  await expect(ask({})).rejects.toThrow("duplex is missing");
  await expect(ask({ duplex: "half" })).rejects.toThrow("sent");
});

test.each(["", "slow "])(
  "a refused answer that is dropped unread behind %j is still read for the record",
  async (begin) => {
    const server = http.createServer((_, response) => {
      response.writeHead(429).flushHeaders();
      response.write(begin);
      setTimeout(() => response.write("down"), 10);
      setTimeout(() => response.end(", please"), 20);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { run, steps } = recordedRun();
    try {
      await inRun(run, async () => {
        const response = await watchFetch(originals.fetch)(`http://127.0.0.1:${port}/`);
        await response.body?.cancel();
      });
      await expect.poll(() => steps[0]?.state).toBe("ended");
      const exchange = steps[0]?.exchange;
      expect([exchange?.end, Buffer.concat(exchange?.chunks ?? []).toString()]).toEqual([
        "cancelled",
        `${begin}down, please`,
      ]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);
