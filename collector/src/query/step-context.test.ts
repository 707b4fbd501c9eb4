import { encodeResource, encodeScope, encodeTraces, plainSpan, type ScannedSpan, scanTraces } from "@reenact/envelope";
import { expect, test } from "vitest";
import { stepContextOf } from "./step-context.ts";
import { contextAnswer } from "./view-schema.ts";

const RUN = "d".repeat(32);
const origin = { resource: encodeResource({}), scope: encodeScope("x"), resourceSchemaUrl: "", scopeSchemaUrl: "" };

function spans(...made: { kind: string; name: string; input: unknown; output: unknown }[]): ScannedSpan[] {
  return made.flatMap(({ kind, name, input, output }, n) =>
    scanTraces(
      encodeTraces(
        plainSpan({
          traceId: RUN,
          spanId: (n + 1).toString(16).padStart(16, "0"),
          name,
          startUnixNano: BigInt(n + 1) * 1_000_000n,
          endUnixNano: 2_000_000_000n,
          attributes: {
            "openinference.span.kind": kind,
            "input.value": JSON.stringify(input),
            "output.value": JSON.stringify(output),
          },
        }),
        origin,
      ),
    ),
  );
}

const prompt = (content: string) => ({
  messages: [
    { role: "system", content },
    { role: "user", content: "close 5512" },
  ],
});
const asks = (args: object) => ({
  choices: [{ message: { tool_calls: [{ id: "c", function: { name: "close", arguments: JSON.stringify(args) } }] } }],
});

test("a tool's step has the context of the call that asked for it, and its own values", () => {
  const scanned = spans(
    { kind: "LLM", name: "chat", input: prompt("help"), output: asks({ id: 5512 }) },
    { kind: "TOOL", name: "close", input: { id: 5512 }, output: "done" },
  );
  const found = stepContextOf(RUN, scanned, "2")!;
  expect(found).toMatchObject({ step: 2, context: { step: 1 }, calls: [{ step: 2, askedBy: 1 }] });
  expect(found.calls[0]!.values).toMatchObject([{ pointer: "/id", sources: [{ kind: "user message" }] }]);
  expect(stepContextOf(RUN, scanned, "0000000000000002")).toEqual(found);
  expect(stepContextOf(RUN, scanned, "3")).toBeNull();
  const answer = contextAnswer.safeParse({ schemaVersion: 1, run: RUN, ...found });
  expect(answer.error).toBeUndefined();
});

test("a step that no model asked for has no context", () => {
  const scanned = spans({ kind: "TOOL", name: "close", input: { id: 5512 }, output: "done" });
  expect(stepContextOf(RUN, scanned, "1")).toMatchObject({ context: null, calls: [{ askedBy: null }] });
});

test("of a long text that changed, what is shown begins before the change, and never within a character", () => {
  const same = "x".repeat(49_999) + "🌍".repeat(200);
  const scanned = spans(
    { kind: "LLM", name: "chat", input: prompt(`${same}lamps ${"y ".repeat(9_000)}`), output: asks({}) },
    {
      kind: "LLM",
      name: "chat",
      input: prompt(`${same}chairs ${"y ".repeat(9_000)}`),
      output: asks({ id: "z".repeat(9_000) }),
    },
  );
  const { context, calls } = stepContextOf(RUN, scanned, "2")!;
  const [changed] = context!.texts;
  expect(changed!.status).toBe("changed");
  expect(changed!.is.text).toContain("chairs");
  expect(changed!.was!.text).toContain("lamps");
  expect(changed!.is.from).toBe(changed!.was!.from);
  for (const { text } of [changed!.is, changed!.was!]) {
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.isWellFormed()).toBe(true);
  }
  expect(changed!.is.length).toBe(same.length + 7 + 18_000);
  expect(calls[0]!.values[0]!.value).toHaveLength(500);
});
