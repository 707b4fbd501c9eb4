import { once } from "node:events";
import http2 from "node:http2";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { FRAME, FrameReader, writeHeaders } from "./frames.ts";
import { HpackDecoder, writeHeaderBlock } from "./hpack.ts";

/** What Node's server writes to a client that asks it for these headers, one after another, and what its client reads. */
async function exchange(answers: readonly http2.OutgoingHttpHeaders[]): Promise<{ wire: Buffer; raw: string[][] }> {
  const [near, far] = duplexPair();
  const parts: Buffer[] = [];
  const { write } = far;
  far.write = function (this: typeof far, chunk: Buffer, ...rest: never[]) {
    parts.push(Buffer.from(chunk));
    return Reflect.apply(write, this, [chunk, ...rest]);
  } as typeof write;
  const server = http2.performServerHandshake(far);
  let next = 0;
  server.on("stream", (stream) => {
    stream.respond(answers[next++] ?? {}, { endStream: true });
  });
  const client = http2.connect("http://localhost", { createConnection: () => near });
  const raw: string[][] = [];
  for (let n = 0; n < answers.length; n++) {
    const stream = client.request({ ":path": "/" });
    stream.resume();
    const [[, , pairs]] = await Promise.all([once(stream, "response"), once(stream, "close")]);
    raw.push(pairs as string[]);
  }
  client.destroy();
  server.destroy();
  return { wire: Buffer.concat(parts), raw };
}

test("headers that Node writes are read as Node reads them, with tables and codes", async () => {
  const printable = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join("");
  const high = Array.from({ length: 128 }, (_, n) => String.fromCharCode(128 + n)).join("");
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`x-${n}`, `${n}`.repeat(40)]));
  const { wire, raw } = await exchange([
    { ":status": 200, "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] },
    { ":status": 418, "x-printable": `a${printable}a`, "x-high": high, "x-empty": "" },
    { ":status": 200, "content-type": "text/plain", "x-printable": `a${printable}a` },
    // more than the table holds
    { ":status": 404, ...many },
    { ":status": 200, "content-type": "text/plain", "x-79": "again", "x-long": "v".repeat(20_000) },
  ]);
  const decoder = new HpackDecoder();
  const reader = new FrameReader("server");
  // in pieces, as a network may cut them
  const frames = Array.from({ length: Math.ceil(wire.length / 7) }, (_, n) =>
    reader.feed(wire.subarray(n * 7, n * 7 + 7)),
  ).flat();
  const read = frames.filter(({ type }) => type === FRAME.headers).map(({ payload }) => decoder.read(payload).flat());
  expect(read).toEqual(raw);
  expect(reader.rest.length).toBe(0);
});

test("what is written without tables is read back, also past the size of a frame", () => {
  const fields: [string, string][] = [
    [":status", "200"],
    ["X-Name", "value"],
    ["x-empty", ""],
    ["x-long", "é".repeat(40_000)],
  ];
  const settings = Buffer.from([0, 0, 0, FRAME.settings, 0, 0, 0, 0, 0]);
  const wire = Buffer.concat([settings, writeHeaders(1, writeHeaderBlock(fields), true)]);
  const frames = new FrameReader("server").feed(wire);
  expect(frames.map(({ type }) => type)).toEqual([FRAME.settings, FRAME.headers]);
  expect(new HpackDecoder().read(frames[1]?.payload ?? Buffer.alloc(0))).toEqual(
    fields.map(([name, value]) => [name.toLowerCase(), value]),
  );
});

test.each([
  ["an unknown index", Buffer.from([0xff, 0x7f])],
  ["a text that is cut off", Buffer.from([0x00, 0x05, 0x61])],
  ["wrong padding", Buffer.from([0x00, 0x81, 0x00, 0x00])],
  ["an endless integer", Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ["too large a table", Buffer.from([0x3f, 0xff, 0xff, 0xff, 0x7f])],
])("%s is refused", (_, block) => {
  expect(() => new HpackDecoder().read(block)).toThrow();
});
