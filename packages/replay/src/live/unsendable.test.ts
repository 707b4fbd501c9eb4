import { fileURLToPath } from "node:url";
import type { Step } from "@reenact/capture/recorder";
import { expect, test } from "vitest";
import { loadTape } from "../tape/load-tape.ts";
import type { Tape } from "../tape/tape.ts";
import { whyUnsendable } from "./unsendable.ts";

const golden = loadTape(
  fileURLToPath(new URL("../../../../test/fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url)),
);
const step = { index: 4, op: "openai.chat" } as Step;
const TOKEN = "EMAIL_abcd_abcdefghijklmnop";
const NAMED = "PERSON_abcd_abcdefghijklmnop";
const asked = (
  request: { url?: string; headers?: [string, string][]; body?: string },
  tape: Tape = golden,
  options = { sendsTokens: false, sendsOriginals: false },
) =>
  whyUnsendable(
    step,
    { method: "POST", url: "https://api.openai.com/v1/chat/completions", headers: [], body: null, ...request },
    tape,
    options,
  );

test("tokens are found wherever they stand, with their place", () => {
  const body = JSON.stringify({ messages: [{ content: "Hi" }, { content: `to ${TOKEN}` }] });
  expect(asked({ body })?.message).toContain(
    `step 5 (openai.chat) was not sent: it holds 1 redacted value (${TOKEN} at /messages/1/content)`,
  );
  expect(asked({ url: `https://api.openai.com/v1/${encodeURIComponent(TOKEN)}` })?.message).toContain("in the URL");
  expect(asked({ headers: [["X-User", TOKEN]] })?.message).toContain("in the header x-user");
  expect(asked({ body: "EMAIL_MASKED" })?.reason).toBe("redacted-value");
  const claims = Buffer.from(JSON.stringify({ sub: TOKEN })).toString("base64url");
  expect(asked({ body: `eyJhbGciOiJIUzI1NiJ9.${claims}.x` })?.message).toContain(TOKEN);
  expect(asked({ body: "nothing of that kind: max_tokens_per_minute" })).toBeNull();
  expect(asked({ body }, golden, { sendsTokens: true, sendsOriginals: false })).toBeNull();
});

test("a key that is a token or a placeholder is no key, whatever else may be sent", () => {
  const sent = { sendsTokens: true, sendsOriginals: true };
  expect(asked({ headers: [["Authorization", `Bearer ${TOKEN}`]] }, golden, sent)).toEqual({
    reason: "no-key",
    message:
      "no key: step 5 (openai.chat) was not sent, since its header authorization holds a token of the record; set OPENAI_API_KEY",
  });
  expect(asked({ url: "https://x.example/v1?key=reenact-replay-no-key-gemini-api-key" }, golden, sent)?.reason).toBe(
    "no-key",
  );
});

test("an original goes only to a host that had it, and a tool only gets what it had", () => {
  const [first] = golden.ordered;
  const { exchange } = first!.record;
  const had = { ...first!, input: `to ${NAMED}`, record: { ...first!.record, exchange: exchange! } };
  const originals = { run: "", steps: new Map(), root: {}, values: new Map([[NAMED, 'Ann "A" Lee']]) };
  const tape: Tape = { ...golden, ordered: [had], vault: { originals } };
  const body = JSON.stringify({ q: 'is Ann "A" Lee there?' });
  expect(asked({ body, url: exchange!.request.url }, tape)).toBeNull();
  expect(asked({ body, url: "https://other.example/v1" }, tape)?.message).toContain(
    `1 original (${NAMED} at /q) from the vault that other.example did not get in the recorded run`,
  );
  // as a tool's result: JSON in a text of JSON
  const nested = JSON.stringify({ content: JSON.stringify({ q: 'Ann "A" Lee' }) });
  expect(asked({ body: nested, url: "https://other.example/v1" }, tape)?.message).toContain(`1 original (${NAMED} at`);
  expect(
    asked({ body, url: "https://other.example/v1" }, tape, { sendsTokens: false, sendsOriginals: true }),
  ).toBeNull();
  const args = { args: body };
  const options = { sendsTokens: false, sendsOriginals: false };
  expect(whyUnsendable(step, args, tape, options)?.message).toContain("this tool did not get");
});

test("a body that is not known when the call is made is not sent", () => {
  expect(whyUnsendable(step, null, golden, { sendsTokens: true, sendsOriginals: true })?.reason).toBe("not-sendable");
});
