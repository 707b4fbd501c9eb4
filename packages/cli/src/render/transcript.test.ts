import { expect, test } from "vitest";
import type { RunView, StepView } from "@reenact/view";
import { printTranscript } from "./transcript.ts";

const run: RunView = {
  run: "7f3a91",
  name: "desk",
  foreign: false,
  status: "ok",
  error: null,
  durationMs: null,
  slots: 1,
  models: [],
  redacted: {},
  complete: true,
  incompleteReasons: [],
  request: null,
  replayOf: null,
  replay: null,
  unrecorded: [],
  steps: [],
};

function shown(step: Partial<StepView>, request?: { method: string; url: string }, answer = {}): string[] {
  const exchange = request && { exchange: { request, ...answer } };
  const record = { path: "", ...exchange } as unknown as StepView["record"];
  const whole = {
    step: 1,
    attempt: 0,
    depth: 0,
    name: "x",
    status: "ok",
    durationMs: 1,
    input: null,
    output: null,
    tokens: null,
    events: null,
    answer: null,
    ...step,
  };
  const text = printTranscript({ ...run, steps: [{ ...whole, record } as StepView] }, (_, words) => words, {
    id: "7f3a91",
    flags: ["wrong row"],
    named: "7f3a91 --store /tmp/x",
  });
  expect(text).toContain("⚑ wrong row");
  expect(text).toContain(
    "Next: reenact show 7f3a91 --store /tmp/x --step <n> · reenact replay 7f3a91 --store /tmp/x --",
  );
  return text.split("\n").slice(4, -3);
}

test("an HTTP step shows where it went, one of a model its name", () => {
  const request = { method: "GET", url: "https://api.example/weather?city=Oslo" };
  expect(shown({ kind: "HTTP", name: "GET api.example" }, request)).toEqual([
    "    1 HTTP      GET api.example/weather?city=Oslo  1 ms",
  ]);
  expect(shown({ kind: "LLM", name: "chat" }, request)).toEqual(["    1 LLM       chat  1 ms"]);
});

test("an embedding shows every text, and how many vectors came", () => {
  const input = JSON.stringify({ input: ["first", "second"] });
  const output = JSON.stringify({ data: [{ embedding: [0.1] }, { embedding: [0.2] }] });
  expect(shown({ kind: "EMBEDDING", name: "embeddings", input, output }).slice(1)).toEqual([
    "        → first | second",
    "        ← 2 vectors",
  ]);
});

test("of a list of texts every one is shown, whoever asks for their vectors", () => {
  const input = JSON.stringify({ input: ["a", "b"] });
  expect(shown({ kind: "HTTP", name: "POST h", input })[1]).toBe("        → a | b");
});

test("a call that was left says so, with the status where there was one", () => {
  const request = { method: "POST", url: "https://h/x" };
  const line = (status: "ok" | "open", given: { end: string; response?: object }): string => {
    const answer = given.response === undefined ? null : given.end === "complete" ? "whole" : "part";
    return String(shown({ kind: "HTTP", name: "POST h", status, answer }, request, given)[0]);
  };
  expect(line("ok", { end: "aborted" })).toBe("    1 HTTP      POST h/x  1 ms  aborted before it was answered");
  const response = { status: 201 };
  expect(line("open", { end: "open", response })).toBe("    1 HTTP      POST h/x  1 ms  HTTP 201, not read to its end");
  expect(line("ok", { end: "cancelled", response })).toBe(
    "    1 HTTP      POST h/x  1 ms  HTTP 201, cancelled before its end",
  );
  expect(line("ok", { end: "aborted", response })).toBe(
    "    1 HTTP      POST h/x  1 ms  HTTP 201, aborted before its end",
  );
  expect(line("ok", { end: "complete", response })).toBe("    1 HTTP      POST h/x  1 ms");
  expect(line("open", { end: "open" })).toContain("had not ended when the run did");
});

test("a run without steps offers none of them", () => {
  const text = printTranscript(run, (_, words) => words, { id: "7f3a91", flags: [], named: "7f3a91" });
  expect(text).toContain("Next: reenact replay 7f3a91 -- <command>");
});

test("effects that no step records are listed below the header", () => {
  const text = printTranscript({ ...run, unrecorded: ["not recorded: thread x"] }, (_, words) => words, {
    id: "7f3a91",
    flags: [],
    named: "7f3a91",
  });
  expect(text).toContain("complete\n  ! not recorded: thread x\n");
});

test("a model's step has model, tokens, what it was told, and every call and result of a turn", () => {
  const calls = ["Oslo", "Rome"].map((city, at) => ({
    id: `c${at}`,
    function: { name: "weather", arguments: JSON.stringify({ city }) },
  }));
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "where?" },
    { role: "assistant", content: null, tool_calls: calls },
    { role: "tool", tool_call_id: "c0", content: "cold" },
    { role: "tool", tool_call_id: "c1", content: "warm" },
  ];
  const output = JSON.stringify({ choices: [{ message: { content: "", tool_calls: calls } }] });
  const tokens = { input: 12, output: 5, cached: 8, reasoning: 3 };
  const model = { asked: "gpt", answered: "gpt-1" };
  expect(shown({ kind: "LLM", name: "chat", input: JSON.stringify({ messages }), output, tokens, model })).toEqual([
    "    1 LLM       chat  gpt → gpt-1  12 in (8 cached), 5 out (3 reasoning)  1 ms",
    "        system: Be brief.",
    "        → weather: cold",
    "        → weather: warm",
    '        ← weather({"city":"Oslo"})',
    '        ← weather({"city":"Rome"})',
  ]);
});

test.for([
  [
    "messages",
    {
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "look", input: {} }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "seen" }] },
            { type: "text", text: "and now?" },
          ],
        },
      ],
    },
    ["look: seen", "and now?"],
  ],
  [
    "responses",
    {
      instructions: "Be brief.",
      input: [
        { role: "user", content: "go" },
        { type: "function_call", call_id: "f1", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "f1", output: "seen" },
      ],
    },
    ["look: seen"],
  ],
] as const)("results of tools have the tool's name, and the system prompt is shown: %s", ([name, body, asked]) => {
  expect(shown({ kind: "LLM", name, input: JSON.stringify(body) }).slice(1)).toEqual([
    "        system: Be brief.",
    ...asked.map((text) => `        → ${text}`),
  ]);
});

test("a stream that is no model's answer is shown by its events", () => {
  const events = [
    { name: "progress", data: "10" },
    { name: null, data: "end" },
  ];
  expect(shown({ kind: "HTTP", name: "GET h", events })[1]).toBe("        ← 2 events: progress: 10 · end");
});
