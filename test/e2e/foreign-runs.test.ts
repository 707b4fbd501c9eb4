import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin, launch, Store } from "./reenact.ts";

const TRACE = "4711".repeat(8);
const START = 1_790_000_000_000_000_000n;
const store = new Store();
const file = join(store.folder, "foreign.json");
beforeAll(() => {
  const value = (each: string | number) =>
    typeof each === "string" ? { stringValue: each } : { intValue: String(each) };
  let last = 0;
  const span = (parent: number, name: string, attributes: Record<string, string | number>, status = {}) => ({
    traceId: TRACE,
    spanId: String(++last).padStart(16, "0"),
    parentSpanId: parent === 0 ? "" : String(parent).padStart(16, "0"),
    name,
    startTimeUnixNano: String(START + BigInt(last) * 1_000_000n),
    endTimeUnixNano: String(START + BigInt(last + 1) * 1_000_000n),
    attributes: Object.entries(attributes).map(([key, each]) => ({ key, value: value(each) })),
    status,
  });
  const asked = [{ role: "user", parts: [{ type: "text", content: "refund 4711" }] }];
  const answered = [{ role: "assistant", parts: [{ type: "tool_call", name: "refund", arguments: { id: 4711 } }] }];
  const spans = [
    span(0, "invoke_agent clerk", { "gen_ai.operation.name": "invoke_agent" }),
    span(1, "chat gpt-5", {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.input.messages": JSON.stringify(asked),
      "gen_ai.output.messages": JSON.stringify(answered),
    }),
    span(2, "POST", { "http.request.method": "POST" }),
    span(
      1,
      "refund",
      { "openinference.span.kind": "TOOL", "input.value": '{"id":4711}' },
      { code: 2, message: "no till" },
    ),
  ];
  const scopeSpans = [{ scope: { name: "of.others" }, spans }];
  writeFileSync(file, JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans }] }));
});
afterAll(() => store.remove());

test("a trace that others made is imported and shown, and a replay of it says why it cannot be", async () => {
  expect(await store.command("import", file)).toMatchObject({ code: 0 });
  expect((await store.command("ls")).stdout).toMatch(/invoke_agent clerk +spans only \(1 llm, 1 tool\).* incomplete/);

  const shown = (await store.command("show", "4711")).stdout.split("\n");
  expect(shown.slice(1, -1)).toEqual([
    "  3 spans · 1 ms · gpt-5 · incomplete",
    "  ! not replayable: no exchanges",
    "",
    "    1 AGENT     invoke_agent clerk  1 ms",
    "      2 LLM       chat gpt-5  1 ms",
    "          → refund 4711",
    '          ← refund({"id":4711})',
    "      3 TOOL      refund  1 ms  no till",
    '          → {"id":4711}',
    "",
    `Next: reenact show 471147 --store ${store.folder} --step <n>`,
  ]);
  expect((await store.command("show", "4711", "--step", "3")).stdout).toContain("no record; read from its span");
  const { steps } = JSON.parse((await store.command("show", "4711", "--json")).stdout) as { steps: unknown[] };
  expect(steps).toMatchObject([
    { depth: 0 },
    { kind: "LLM", depth: 1, record: null },
    { status: "error", error: "no till" },
  ]);

  const { code, stdout, stderr } = await launch([
    process.execPath,
    bin,
    "replay",
    "4711",
    "--store",
    store.folder,
    "--",
    process.execPath,
    "-e",
    "console.log(1)",
  ]);
  expect({ code, stdout }).toEqual({ code: 11, stdout: "" });
  expect(stderr).toMatch(/run 4711.*other instrumentation made it.*Next: record the program.*\[REEN-NOT-REPLAYABLE\]/);
});
