import fc from "fast-check";
import { expect, test } from "vitest";
import type { StepView } from "../step/step-view.ts";
import { stepView as anyStep } from "../step/step-view.test.fixture.ts";
import { explainSteps } from "./explain-calls.ts";

const stepView = (step: number, kind: string, name: string, given: Partial<StepView> = {}): StepView =>
  anyStep(step, { kind, name, ...given });

interface Turn {
  user: string;
  /** what the tool answered that was called before */
  result: string;
  call: { name: string; args: Record<string, unknown> };
}

/** One conversation in the form of each provider: a question, a first tool's result, and the call that the model then asked for. */
const FORMS: Record<string, (turn: Turn) => { input: unknown; output: unknown }> = {
  "openai chat": ({ user, result, call }) => ({
    input: {
      messages: [
        { role: "system", content: "You help." },
        { role: "user", content: user },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "look_up", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c1", content: result },
      ],
    },
    output: {
      choices: [
        {
          message: { tool_calls: [{ id: "c2", function: { name: call.name, arguments: JSON.stringify(call.args) } }] },
        },
      ],
    },
  }),
  "openai responses": ({ user, result, call }) => ({
    input: {
      instructions: "You help.",
      input: [
        { role: "user", content: [{ type: "input_text", text: user }] },
        { type: "function_call", call_id: "c1", name: "look_up", arguments: "{}" },
        { type: "function_call_output", call_id: "c1", output: result },
      ],
    },
    output: {
      output: [{ type: "function_call", call_id: "c2", name: call.name, arguments: JSON.stringify(call.args) }],
    },
  }),
  anthropic: ({ user, result, call }) => ({
    input: {
      system: "You help.",
      messages: [
        { role: "user", content: user },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "look_up", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: result }] }],
        },
      ],
    },
    output: { content: [{ type: "tool_use", id: "c2", name: call.name, input: call.args }] },
  }),
  gemini: ({ user, result, call }) => ({
    input: {
      contents: [
        { role: "user", parts: [{ text: user }] },
        { role: "model", parts: [{ functionCall: { name: "look_up", args: {} } }] },
        { role: "user", parts: [{ functionResponse: { name: "look_up", response: { result } } }] },
      ],
    },
    output: { candidates: [{ content: { parts: [{ functionCall: { name: call.name, args: call.args } }] } }] },
  }),
  bedrock: ({ user, result, call }) => ({
    input: {
      messages: [
        { role: "user", content: [{ text: user }] },
        { role: "assistant", content: [{ toolUse: { toolUseId: "c1", name: "look_up", input: {} } }] },
        { role: "user", content: [{ toolResult: { toolUseId: "c1", content: [{ text: result }] } }] },
      ],
    },
    output: { output: { message: { content: [{ toolUse: { toolUseId: "c2", name: call.name, input: call.args } }] } } },
  }),
};

function runOf(form: string, turn: Turn, output: string | null = JSON.stringify(turn.result)): StepView[] {
  const { input, output: answer } = FORMS[form]!(turn);
  return [
    stepView(1, "TOOL", "look_up", { input: "{}", output }),
    stepView(2, "LLM", "chat", { input: JSON.stringify(input), output: JSON.stringify(answer) }),
    stepView(3, "TOOL", turn.call.name, { input: JSON.stringify(turn.call.args) }),
  ];
}

test.each(Object.keys(FORMS))("%s: a value of the user's, one of a result, one that nobody said", (form) => {
  const turn: Turn = {
    user: "please refund order A-1042 of last week",
    result: '{"row":41,"order":"A-1042","total":129.5}',
    call: { name: "refund", args: { row: 41, order: "A-1042", amount: 129.5, reason: "smashed glass", confirm: true } },
  };
  const [call] = explainSteps(runOf(form, turn), [], 3);
  expect(call).toMatchObject({ step: 3, name: "refund", askedBy: 2, more: 0 });
  const sources = Object.fromEntries(call!.values.map(({ pointer, by, sources: found }) => [pointer, { by, found }]));
  expect(sources["/order"]?.found[0]).toMatchObject({ kind: "user message", match: "value" });
  expect(sources["/order"]?.found.at(-1)).toMatchObject({ kind: "result", name: "look_up" });
  expect(sources["/row"]?.found).toMatchObject([{ kind: "result", name: "look_up" }]);
  expect(sources["/amount"]?.found).toMatchObject([{ kind: "result" }]);
  expect(sources["/reason"]).toEqual({ by: "model", found: [] });
  expect(sources["/confirm"]).toEqual({ by: "model", found: [] });
});

test("a result is named by the step that gave it", () => {
  const turn: Turn = { user: "go", result: '{"id":"ticket-77"}', call: { name: "close", args: { id: "ticket-77" } } };
  const [call] = explainSteps(runOf("openai chat", turn), [], 3);
  expect(call?.values[0]?.sources).toMatchObject([{ kind: "result", step: 1, name: "look_up", pointer: "/id" }]);
  const [unknown] = explainSteps(runOf("openai chat", turn, null), [], 3);
  expect(unknown?.values[0]?.sources).toMatchObject([{ kind: "result", step: null, name: "look_up" }]);
});

test("a short number is looked for in members of its name first, and is otherwise by chance", () => {
  const turn: Turn = {
    user: "41 people wrote, 7 of them twice",
    result: '{"row":41,"other":7}',
    call: { name: "drop", args: { row: 41, count: 7 } },
  };
  const [call] = explainSteps(runOf("anthropic", turn), [], 3);
  expect(call?.values[0]).toMatchObject({ short: true, sources: [{ kind: "result", pointer: "/row" }] });
  expect(call?.values[1]).toMatchObject({ short: true, sources: [{ kind: "result", pointer: "/other" }] });
});

test("other letters, other number formats, and texts of which a part is known", () => {
  const turn: Turn = {
    user: "Send $1,299.00 to the MAIN warehouse in north harbour, next to the old pier",
    result: "{}",
    call: {
      name: "send",
      args: {
        amount: 1299,
        place: "main warehouse",
        text: "Deliver to North Harbour, next to the old pier, before noon",
      },
    },
  };
  const [call] = explainSteps(runOf("openai responses", turn), [], 3);
  expect(call?.values.map(({ sources }) => sources.map(({ match }) => match))).toEqual([
    ["other form"],
    ["other form"],
    ["part"],
  ]);
  expect(call?.values[2]?.sources[0]?.excerpt).toBe("North Harbour next to the old pier");
});

test("a call that the program makes by itself is explained by what the program had", () => {
  const steps = [
    stepView(1, "TOOL", "look_up", { input: "{}", output: '{"customer":"C-5501"}' }),
    stepView(2, "TOOL", "note", { input: '{"customer":"C-5501","text":"checked by job 12"}' }),
  ];
  const input = [{ kind: "input of the run", step: null, name: "", text: '["start job 12"]' }] as const;
  const [call] = explainSteps(steps, input, 2);
  expect(call).toMatchObject({ askedBy: null });
  expect(call?.values[0]).toMatchObject({ by: "program", sources: [{ step: 1, pointer: "/customer" }] });
  const held = { kind: "input of the run", match: "part", excerpt: "job 12" };
  expect(call?.values[1]).toMatchObject({ by: "program", sources: [held] });
});

test("what the program changed in the model's call is the program's", () => {
  const turn: Turn = { user: "delete row 812", result: "{}", call: { name: "drop", args: { row: 812 } } };
  const steps = runOf("openai chat", turn);
  const changed = { ...steps[2]!, input: '{"row":813}' };
  const [call] = explainSteps([steps[0]!, steps[1]!, changed], [], 3);
  expect(call).toMatchObject({ askedBy: 2, values: [{ value: 813, by: "program", sources: [] }] });
});

test("one model call asks for one step: a second one like it is the program's, another attempt is not", () => {
  const turn: Turn = { user: "close 5512", result: "{}", call: { name: "close", args: { id: 5512 } } };
  const steps = runOf("openai chat", turn);
  const twice = [...steps, { ...steps[2]!, step: 4, slot: "tool:close|1" }, { ...steps[2]!, step: 5, attempt: 1 }];
  expect([3, 4, 5].map((step) => explainSteps(twice, [], step)[0]?.askedBy)).toEqual([2, null, 2]);
});

test("what an earlier call of a conversation held that the provider keeps", () => {
  const first = { input: "my order is B-7781", model: "m" };
  const second = { input: "now cancel it", previous_response_id: "resp_1", model: "m" };
  const answer = { output: [{ type: "function_call", call_id: "c", name: "cancel", arguments: '{"order":"B-7781"}' }] };
  const steps = [
    stepView(1, "LLM", "responses", { input: JSON.stringify(first), output: JSON.stringify({ output: [] }) }),
    stepView(2, "LLM", "responses", { input: JSON.stringify(second), output: JSON.stringify(answer) }),
  ];
  expect(explainSteps(steps, [], 2)[0]?.values[0]?.sources).toMatchObject([{ kind: "user message" }]);
  const alone = [steps[0]!, { ...steps[1]!, input: JSON.stringify({ ...second, previous_response_id: undefined }) }];
  expect(explainSteps(alone, [], 2)[0]?.values[0]?.sources).toEqual([]);
});

test("a value that stands in one place is found there, and a value that stands nowhere is found nowhere", () => {
  const word = fc.stringMatching(/^[a-z]{5}-\d{4}$/);
  const held = fc.constantFrom("user", "result", "nobody");
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(FORMS)), word, held, (form, value, holder) => {
      const turn: Turn = {
        user: `do it${holder === "user" ? ` with ${value}, please` : ""}`,
        result: JSON.stringify(holder === "result" ? { list: [{ code: value }] } : {}),
        call: { name: "act", args: { deep: [{ code: value }] } },
      };
      const [call] = explainSteps(runOf(form, turn), [], 3);
      const kinds = call!.values.flatMap(({ sources }) => sources.map(({ kind }) => kind));
      expect(call!.values.map(({ pointer }) => pointer)).toEqual(["/deep/0/code"]);
      expect(kinds).toEqual({ user: ["user message"], result: ["result"], nobody: [] }[holder]);
    }),
  );
});
