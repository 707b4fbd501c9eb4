import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { eventStreamText } from "./event-frames.ts";

function message(headers: Record<string, string>, payload: string): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) =>
      Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, value.length >> 8, value.length & 255]),
        Buffer.from(value),
      ]),
    ),
  );
  const out = Buffer.alloc(16 + head.length + Buffer.byteLength(payload));
  out.writeUInt32BE(out.length, 0);
  out.writeUInt32BE(head.length, 4);
  out.writeUInt32BE(crc32(out.subarray(0, 8)), 8);
  head.copy(out, 12);
  out.write(payload, 12 + head.length);
  out.writeUInt32BE(crc32(out.subarray(0, -4)), out.length - 4);
  return out;
}

const start = message({ ":event-type": "messageStart", ":message-type": "event" }, '{"role":"assistant"}');
const failed = message(
  { ":exception-type": "throttlingException", ":message-type": "exception" },
  '{"message":"slow\u00fc"}',
);

test("messages are events under the name of their type, an exception under its own", () => {
  expect(eventStreamText(Buffer.concat([start, failed]))).toBe(
    'event: messageStart\ndata: {"role":"assistant"}\n\nevent: throttlingException\ndata: {"message":"slow\u00fc"}\n\n',
  );
});

test("a cut message is left out, and bytes that are no messages are no events", () => {
  const whole = eventStreamText(start);
  for (let end = 0; end < failed.length; end += 7)
    expect(eventStreamText(Buffer.concat([start, failed.subarray(0, end)]))).toBe(whole);
  expect(eventStreamText(Buffer.from("x".repeat(200)))).toBe("");
  expect(eventStreamText(Buffer.alloc(40))).toBe("");
});
