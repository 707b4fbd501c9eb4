import {
  decodeResource,
  decodeScope,
  decodeSpan,
  encodeResource,
  encodeScope,
  encodeTraces,
  plainSpan,
  scanTraces,
  WireWriter,
} from "@reenact/envelope";
import { expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";
import { redactTraces } from "./redact-traces.ts";

const EMAIL = "alice.plant@north.harbour.test";
const key = new Uint8Array(32).fill(7);
const scrubber = createScrubber({ key, policy: { paths: { deny: ["**/diagnosis", "patient"] } } });
const TOKEN = /^EMAIL_[a-z]{4}_[a-z]{16}$/;

const span = plainSpan({
  traceId: "0123456789abcdef0123456789abcdef",
  spanId: "0000000000000001",
  name: `ask ${EMAIL}`,
  startUnixNano: 1n,
  endUnixNano: 2n,
  status: { code: 2, message: `no ${EMAIL}` },
  attributes: {
    "input.value": JSON.stringify({ contact: EMAIL, diagnosis: { since: 2019, text: "asthma" } }),
    "llm.token_count.prompt": 12345,
    "llm.model_name": "gpt-4o",
    "user.email": EMAIL,
    "list.of": ["a", EMAIL, 7],
    "map.of": { contact: EMAIL, deeper: { password: 12345678 }, [EMAIL]: 1, pi: 2.5 },
    "bytes.of": Buffer.from(`to ${EMAIL}`),
    "payment.cvv": 123,
    "patient.age": 41,
    "patient.smokes": true,
    "patient.weight": 71.5,
    "patient.scan": Uint8Array.of(200, 201, 0, 1),
    "patient.of": [{ name: "x" }, 4],
    "x.diagnosis": 17n ** 14n,
    [EMAIL]: "under a name that is data",
    half: 0.5,
    zero: 0,
    yes: true,
  },
  events: [{ name: `for ${EMAIL}`, timeUnixNano: 5n, attributes: { "exception.message": EMAIL } }],
  links: [{ traceId: "f".repeat(32), spanId: "e".repeat(16), attributes: { of: EMAIL } }],
});
const traces = encodeTraces(span, {
  resource: encodeResource({ "service.name": "desk", owner: EMAIL }),
  resourceSchemaUrl: `https://schema.test/?by=${EMAIL}`,
  scope: encodeScope("scope", EMAIL),
  scopeSchemaUrl: "",
});
const only = (bytes: Uint8Array) => {
  const [scanned] = scanTraces(bytes);
  const { resource, scope } = scanned!;
  return { ...decodeSpan(scanned!.span), resource: decodeResource(resource), scope: decodeScope(scope) };
};

test("every value of a request is redacted, whatever its kind; numbers, names and ids that say nothing stay", () => {
  const bytes = redactTraces(traces, scrubber);
  expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/alice|asthma|2019/);
  const { attributes: of, ...out } = only(bytes);
  expect(of).toMatchObject({
    "llm.token_count.prompt": 12345,
    "llm.model_name": "gpt-4o",
    "user.email": expect.stringMatching(TOKEN) as string,
    "payment.cvv": 999,
    "list.of": ["a", expect.stringMatching(TOKEN), 7],
    "patient.age": 0,
    "patient.smokes": false,
    "patient.weight": 0,
    "patient.of": [{ name: expect.stringMatching(/^FIELD_/) as string }, 0],
    "x.diagnosis": 0,
    half: 0.5,
    zero: 0,
    yes: true,
  });
  const map = of["map.of"] as Record<string, unknown>;
  expect(map).toMatchObject({ contact: of["user.email"], deeper: { password: 99999999 }, pi: 2.5 });
  expect(Buffer.from(of["patient.scan"] as Uint8Array).toString()).toMatch(/^FIELD_/);
  expect(Buffer.from(of["bytes.of"] as Uint8Array).toString()).toBe(`to ${String(of["user.email"])}`);
  expect(of[String(of["user.email"])]).toBe("under a name that is data");
  expect(out).toMatchObject({ traceId: span.traceId, spanId: span.spanId, startUnixNano: 1n, endUnixNano: 2n });
  expect(out.status.message).toBe(`no ${String(of["user.email"])}`);
});

test("a request with nothing to redact stays the same, byte for byte, and so does one that was redacted before", () => {
  const plain = encodeTraces(
    plainSpan({
      ...span,
      name: "ask",
      status: { code: 1, message: "" },
      attributes: { a: 5, b: -7, c: 2n ** 60n, d: -0.25, e: "x" },
      events: [],
      links: [],
    }),
    {
      resource: encodeResource({ "service.name": "desk" }),
      resourceSchemaUrl: "",
      scope: encodeScope("s"),
      scopeSchemaUrl: "",
    },
  );
  expect(Buffer.from(redactTraces(plain, scrubber))).toEqual(Buffer.from(plain));
  const once = redactTraces(traces, scrubber);
  expect(Buffer.from(redactTraces(once, scrubber))).toEqual(Buffer.from(once));
});

test("no second value of an attribute hides behind the last one", () => {
  const value = (text: string) => new WireWriter().string(1, text);
  const twice = new WireWriter()
    .string(1, "a")
    .message(2, value(EMAIL))
    .message(2, new WireWriter().string(1, EMAIL).string(1, "last"));
  const hidden = new WireWriter()
    .bytes(1, Buffer.alloc(16, 1))
    .bytes(2, Buffer.alloc(8, 1))
    .string(3, `vendor=${EMAIL}`)
    .message(9, twice);
  const body = new WireWriter().message(1, new WireWriter().message(2, new WireWriter().message(2, hidden))).finish();
  expect(Buffer.from(redactTraces(body, scrubber)).toString("latin1")).not.toContain("alice");
});

test("bytes that are no request are refused", () => {
  expect(() => redactTraces(Uint8Array.of(10, 200), scrubber)).toThrow();
});
