import { fileURLToPath } from "node:url";
import type { Step } from "@reenact/capture/recorder";
import { expect, test } from "vitest";
import { loadTape } from "../tape/load-tape.ts";
import type { Tape } from "../tape/tape.ts";
import type { LiveOptions } from "./live-options.ts";
import { whyStrangeRecipient } from "./recipient.ts";

const golden = loadTape(
  fileURLToPath(new URL("../../../../test/fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url)),
);
const environment = { OPENAI_BASE_URL: "https://Evil.example/v1", TOOL_URL: "http://127.0.0.1:9000/" };
const tape: Tape = { ...golden, root: { ...golden.root, environment } };

const model = { index: 0, op: "openai.chat", operation: {} } as Step;
const plain = { index: 0, op: "http.GET", operation: null } as Step;

function why(
  url: string,
  {
    step = model,
    origins = [],
    names = [],
    isBeneathLive = false,
  }: Partial<LiveOptions> & {
    step?: Step;
    isBeneathLive?: boolean;
  } = {},
): string | undefined {
  const options = { origins, names } as Partial<LiveOptions> as LiveOptions;
  const content = { method: "POST", url, headers: [], body: "{}" };
  return whyStrangeRecipient(step, content, tape, { options, isBeneathLive })?.message;
}

test("a model is asked at its provider's own host, and at what was allowed", () => {
  expect(why("https://API.OPENAI.com/v1/chat/completions")).toBeUndefined();
  const message = why("https://evil.example:443/v1/chat/completions");
  expect(message).toContain("step 1 (openai.chat) was not sent to evil.example:");
  expect(message).toContain("in the record it stands in OPENAI_BASE_URL; --env takes yours");
  expect(message).toContain("--to https://evil.example");
  const origins = ["http://[::1]:8080", "https://llm.example.com"];
  expect(why("http://[0:0::1]:8080/v1", { origins })).toBeUndefined();
  expect(why("https://LLM.example.com/v1", { origins })).toBeUndefined();
});

test.each([
  "http://[::1]:8081/v1",
  "https://[::1]:8080/v1",
  "http://[::ffff:127.0.0.1]:8080/v1",
  "http://localhost:8080/v1",
  "http://llm.example.com/v1",
  "https://llm.example.com:444/v1",
  "https://llm.example.com./v1",
  "https://llm.example.com.evil.example/v1",
  // a user name that looks like a host, also before one that is allowed
  "https://llm.example.com@evil.example/v1",
  "https://evil.example@llm.example.com/v1",
])("%s is not what was allowed", (url) => {
  expect(why(url, { origins: ["http://[::1]:8080", "https://llm.example.com"] })).toContain("was not sent to");
  expect(why(url, { origins: ["http://[::1]:8080", "https://llm.example.com"] })).not.toContain("@");
});

test("a plain request goes where it was made live, and from a live body also elsewhere but where the record says", () => {
  expect(why("https://shop.example/", { step: plain, names: ["shop.example"] })).toBeUndefined();
  expect(why("https://shop.example/", { step: plain })).toContain("was not sent");
  expect(why("https://shop.example/", { step: plain, isBeneathLive: true })).toBeUndefined();
  expect(why("http://127.0.0.1:9001/", { step: plain, isBeneathLive: true })).toBeUndefined();
  expect(why("http://127.0.0.1:9000/", { step: plain, isBeneathLive: true })).toContain("it stands in TOOL_URL");
  expect(why("https://evil.example/", { step: plain, isBeneathLive: true })).toContain("OPENAI_BASE_URL");
});
