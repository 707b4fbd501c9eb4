import { expect, test } from "vitest";
import { type OtlpSpan, plainSpan } from "../otlp/span.ts";
import { encodeTraces } from "../otlp/encode-traces.ts";
import { scanTraces } from "../otlp/scan-traces.ts";
import { readEnvelope } from "./read-envelope.ts";
import { writeEnvelope } from "./write-envelope.ts";

const traceId = "c".repeat(32);
const START = 1_763_800_000_000_000_000n;
const ERROR = { code: 2, message: "it broke" } as const;
const EXCEPTION = { name: "exception", timeUnixNano: START, attributes: { "exception.type": "TimeoutError" } };

/** `at`: seconds after the run began; each span lasts one. */
type Given = Partial<Omit<OtlpSpan, "spanId">> & { readonly id: number; readonly at?: number; readonly under?: number };
const idOf = (n: number) => n.toString(16).padStart(16, "0");

function span({ id, at = id, under, ...rest }: Given): OtlpSpan {
  const start = START + BigInt(Math.round(at * 1e9));
  const times = { startUnixNano: start, endUnixNano: start + 1_000_000_000n };
  return plainSpan({
    traceId,
    spanId: idOf(id),
    parentSpanId: under === undefined ? null : idOf(under),
    name: "x",
    ...times,
    ...rest,
  });
}
const NONE = { resource: new Uint8Array(), resourceSchemaUrl: "", scope: new Uint8Array(), scopeSchemaUrl: "" };
const manifestOf = (...given: readonly Given[]) => {
  const spans = given.flatMap((each) => scanTraces(encodeTraces(span(each), NONE)));
  return readEnvelope(writeEnvelope({ spans, run: traceId }).bytes).manifest;
};
const statusOf = (...given: readonly Given[]) => manifestOf(...given).status;

const root: Given = { id: 1, attributes: { "openinference.span.kind": "AGENT" }, name: "agent" };
/** A step as each instrumentation says it; `input` is what the call was given. */
const makers = {
  "OpenInference Python": (kind: string, input: string) => ({ "openinference.span.kind": kind, "input.value": input }),
  "OpenTelemetry gen_ai": (kind: string, input: string) => ({
    "gen_ai.operation.name": { LLM: "chat", TOOL: "execute_tool", AGENT: "invoke_agent", CHAIN: "invoke_workflow" }[
      kind
    ]!,
    "gen_ai.input.messages": input,
  }),
  "AI SDK": (kind: string, input: string) => ({
    "ai.operationId": {
      LLM: "ai.generateText.doGenerate",
      TOOL: "ai.toolCall",
      AGENT: "ai.generateText",
      CHAIN: "ai.streamObject",
    }[kind]!,
    [kind === "TOOL" ? "ai.toolCall.args" : "ai.prompt.messages"]: input,
  }),
  Traceloop: (kind: string, input: string) =>
    kind === "LLM"
      ? { "llm.request.type": "chat", "gen_ai.prompt.0.content": input }
      : {
          "traceloop.span.kind": { TOOL: "tool", AGENT: "agent", CHAIN: "workflow" }[kind]!,
          "traceloop.entity.input": input,
        },
};
const cells = Object.keys(makers).flatMap((maker) =>
  ["AGENT", "CHAIN", "LLM", "TOOL"].map((kind) => [maker, kind] as const),
);

test.each(cells)("%s: a %s that ended in error below a root that is well fails the run", (maker, kind) => {
  const say = makers[maker as keyof typeof makers];
  const call = (id: number, input: string, rest: Partial<Given> = {}) => ({
    id,
    under: 1,
    attributes: say(kind, input),
    ...rest,
  });
  const well = { ...root, status: { code: 1, message: "" } as const };
  expect(statusOf(well, call(2, "a"))).toBe("ok");
  expect(statusOf(well, call(2, "a", { status: ERROR }))).toBe("failed");
  expect(statusOf(well, call(2, "a", { attributes: { ...say(kind, "a"), "error.type": "timeout" } }))).toBe("failed");
  expect(statusOf(well, call(2, "a", { events: [EXCEPTION] }))).toBe("failed");
  // what it raised and handled is no failure
  expect(statusOf(well, call(2, "a", { events: [EXCEPTION], status: { code: 1, message: "" } }))).toBe("ok");
  // tried again: the same call, later, well
  expect(statusOf(well, call(2, "a", { status: ERROR }), call(3, "a", { status: ERROR }), call(4, "a"))).toBe("ok");
  expect(statusOf(well, call(2, "a", { status: ERROR }), call(3, "a", { status: ERROR }))).toBe("failed");
  expect(statusOf(well, call(2, "a"), call(3, "a", { status: ERROR }))).toBe("failed");
  expect(statusOf(well, call(2, "a", { status: ERROR }), call(3, "b"))).toBe("failed");
  expect(statusOf(well, call(2, "a", { status: ERROR }), call(3, "a", { under: 2 }))).toBe("failed");
  expect(statusOf(well, call(2, "a", { status: ERROR }), call(3, "a", { name: "other" }))).toBe("failed");
  expect(statusOf(well, call(2, "a", { status: ERROR }), call(3, "a", { at: 2.5 }))).toBe("failed");
  expect(statusOf(well, call(2, "a", { status: ERROR }), call(3, "a", { endUnixNano: 0n }))).toBe("failed");
});

test.each<[string, Partial<Given>, string]>([
  ["an error", { status: ERROR }, "failed"],
  ["error.type", { attributes: { "error.type": "500" } }, "failed"],
  ["an exception event", { events: [EXCEPTION], status: { code: 1, message: "" } }, "failed"],
  ["HTTP 500", { attributes: { "http.response.status_code": 500 } }, "failed"],
  ["HTTP 503 by the older name", { attributes: { "http.status_code": 503 } }, "failed"],
  ["HTTP 200", { attributes: { "http.response.status_code": 200 } }, "ok"],
  ["HTTP 404", { attributes: { "http.response.status_code": 404 } }, "ok"],
  ["no end", { endUnixNano: 0n }, "aborted"],
  ["a parent that never came", { under: 99 }, "aborted"],
])("a root with %s: %#", (_, said, status) => {
  expect(statusOf({ ...root, ...said })).toBe(status);
});

test("a root that failed by its HTTP status alone names it; an error type or an exception comes before", () => {
  const attributes = { ...root.attributes, "http.response.status_code": 503 };
  expect(manifestOf({ ...root, attributes }).error?.class).toBe("HTTP 503");
  expect(manifestOf({ ...root, attributes: { ...attributes, "error.type": "Gone" } }).error?.class).toBe("Gone");
  expect(manifestOf({ ...root, attributes, events: [EXCEPTION] }).error?.class).toBe("TimeoutError");
  expect(manifestOf({ ...root, attributes: { ...attributes, "http.response.status_code": 404 } }).error).toBeNull();
});

test("a step in an attempt that was mended as a whole fails nothing; plain spans of a client never do", () => {
  const tool = makers["OpenInference Python"]("TOOL", "q");
  const llm = makers["OpenInference Python"]("LLM", "m");
  const first: Given[] = [
    { id: 2, under: 1, attributes: tool, status: ERROR },
    { id: 3, under: 2, attributes: llm, at: 2.1, status: ERROR },
  ];
  expect(statusOf(root, ...first)).toBe("failed");
  expect(statusOf(root, ...first, { id: 4, under: 1, attributes: tool })).toBe("ok");
  expect(statusOf(root, { id: 2, under: 1, name: "GET", kind: 3, status: ERROR })).toBe("ok");
});

test("the error of the manifest is that of the span that failed", () => {
  const attributes = makers["OpenTelemetry gen_ai"]("TOOL", "q");
  const failed = manifestOf(root, { id: 2, under: 1, name: "refund", attributes, status: ERROR, events: [EXCEPTION] });
  expect(failed.error).toMatchObject({ class: "TimeoutError", message: "it broke" });
  expect(manifestOf({ ...root, attributes: { "error.type": "RateLimit" } }).error).toMatchObject({
    class: "RateLimit",
  });
});

test("long inputs are compared whole", () => {
  const say = makers["OpenInference Python"];
  const history = "x".repeat(9_000);
  const call = (id: number, input: string, status: Given["status"]) => ({
    id,
    under: 1,
    attributes: say("LLM", input),
    ...(status && { status }),
  });
  expect(statusOf(root, call(2, `${history} first turn`, ERROR), call(3, `${history} second turn`, undefined))).toBe(
    "failed",
  );
  expect(statusOf(root, call(2, `${history} first turn`, ERROR), call(3, `${history} first turn`, undefined))).toBe(
    "ok",
  );
});

test("the root without a parent is the root, though a lost one's child began before it", () => {
  expect(manifestOf({ ...root, at: 5 }, { id: 2, under: 99, at: 1, name: "stray" })).toMatchObject({ name: "agent" });
});

test("a success from before the failed call is no later attempt, even if the clock was set back while that ran", () => {
  const call = { name: "chat", under: 1, attributes: makers["OpenInference Python"]("LLM", "same") };
  const failed: Given = { ...call, id: 3, at: 5, status: ERROR, endUnixNano: START };
  expect(statusOf(root, { ...call, id: 2, at: 2 }, failed)).toBe("failed");
  expect(statusOf(root, { ...call, id: 2, at: 6 }, failed)).toBe("ok");
});
