import { expect, test } from "vitest";
import { draftRequest, draftStep } from "./draft-step.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { Answer } from "../source/answer.ts";
import type { Step } from "./step.ts";
import type { ExchangeDraft } from "./step-content.ts";

const JSON_TYPE: [string, string][] = [["content-type", "application/json"]];

/** Replaces what it knows, and keeps what it was asked. */
function scrubber(own: { version?: number | undefined } = {}): Scrubber & { asked: string[]; known: string[] } {
  const asked: string[] = [];
  const known: string[] = [];
  return {
    policy: "p",
    rules: "r",
    kid: "k",
    asked,
    known,
    ...own,
    addKnown: () => {},
    scrub(text, hint) {
      if (hint?.mime !== undefined) asked.push(text);
      const hit = known.find((value) => text.includes(value));
      if (hit === undefined) return { text, edits: [], counts: {} };
      const start = text.indexOf(hit);
      return {
        text: text.replace(hit, "SECRET_1"),
        edits: [{ start, end: start + hit.length, with: "SECRET_1" }],
        counts: { SECRET: 1 },
      };
    },
  };
}

function step(request: string, response: string, answer: Answer = { from: "live" }): Step {
  const exchange: ExchangeDraft = {
    via: "fetch",
    method: "POST",
    url: "http://provider.test/v1",
    requestHeaders: JSON_TYPE,
    requestBody: request,
    bodyKnown: true,
    response: {
      status: 200,
      reason: "OK",
      headers: JSON_TYPE,
      url: "http://provider.test/v1",
      redirected: false,
      type: "basic",
      hasBody: true,
    },
    chunks: [Buffer.from(response)],
    cuts: [[0, response.length, 0]],
    end: "complete",
    error: null,
  };
  const run = { id: "r", traceId: "t", journal: { cut: () => ({ from: 0, events: "" }) } };
  return {
    run,
    exchange,
    call: null,
    error: null,
    answer,
    op: "o",
    path: "",
    name: "n",
    lossy: [],
    source: null,
  } as never;
}

const served = (...clean: string[]): Answer => ({
  from: "exchange",
  exchange: { via: "fetch", request: { method: "POST", url: "", headers: [] }, end: "complete" },
  body: () => [],
  clean,
});

test("bodies that stand in a record are not read again; others are", () => {
  const s = scrubber();
  s.known.push("hunter2");
  const same = draftStep(step('{"a":1}', '{"b":2}', served('{"a":1}', '{"b":2}')), s);
  expect([same.request?.text, same.answer?.text, s.asked]).toEqual(['{"a":1}', '{"b":2}', []]);
  const other = draftStep(step('{"a":"hunter2"}', '{"b":2}', served('{"a":1}', '{"b":2}')), s);
  expect(other.request?.text).toBe('{"a":"SECRET_1"}');
  expect(other.record.redacted?.counts).toEqual({ SECRET: 1 });
  expect(s.asked).toEqual(['{"a":"hunter2"}']);
});

test("a request that went out is not read again when its step ends, unless something has become known", () => {
  const s = { ...scrubber(), version: 0 };
  const one = step('{"a":"hunter2"}', "{}");
  expect(draftRequest(one, s).request?.text).toBe('{"a":"hunter2"}');
  expect(draftStep(one, s).request?.text).toBe('{"a":"hunter2"}');
  expect(s.asked).toEqual(['{"a":"hunter2"}', "{}"]);
  const two = step('{"b":"hunter2"}', "{}");
  draftRequest(two, s);
  s.known.push("hunter2");
  s.version++;
  expect(draftStep(two, s).request?.text).toBe('{"b":"SECRET_1"}');
  expect(draftStep(two, s).record.redacted?.counts).toEqual({ SECRET: 1 });
});

test("a body that is replaced while it is on its way is read again; so is all where nothing is promised", () => {
  const s = { ...scrubber(), version: 0 };
  const one = step('{"a":1}', "{}");
  draftRequest(one, s);
  if (one.exchange !== null) one.exchange.requestBody = '{"a":2}';
  expect(draftStep(one, s).request?.text).toBe('{"a":2}');
  const none = scrubber();
  const two = step('{"c":1}', "{}");
  draftRequest(two, none);
  draftStep(two, none);
  expect(none.asked).toEqual(['{"c":1}', '{"c":1}', "{}"]);
});
