import type { Envelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { effectLines } from "./effect-lines.ts";
import { unrecordedEffects } from "./unrecorded-effect.ts";

const ASKED = "message.tool_calls.0.tool_call.function.name";

function lines(unrecorded: number, asked: readonly string[], recorded: readonly string[]): string[] {
  const step = (name: string, attributes: object): object => ({ span: { name, attributes } });
  const steps = [
    ...asked.map((name, at) => step("chat", { [`llm.output_messages.${at}.${ASKED}`]: name })),
    ...recorded.map((name) => step(name, { "reenact.kind": "TOOL" })),
  ];
  return effectLines({ steps, facts: { tools: { unrecorded } } } as unknown as Envelope);
}

test("tools without tool() are named, and it is said when a replay runs them and when it stops", () => {
  const [line, ...more] = lines(3, ["weather", "weather", "look_up"], []);
  expect(more).toEqual([]);
  expect(line).toMatch(/^not recorded: 3 tool calls .* made without tool\(\): weather, look_up; a replay runs /);
  expect(line).toContain("stops before one that wrote a file");
});

test("a tool that its framework spells in another way is recorded all the same", () => {
  expect(lines(2, ["saveNote", "getWeather"], ["save_note"])[0]).toContain("1 tool call that a model asked for");
  expect(lines(2, ["saveNote", "getWeather"], ["save_note"])[0]).not.toContain("saveNote");
  expect(lines(1, ["saveNote"], ["save-note"])).toEqual([]);
});

test("where no answer says which they were, they are counted; many are not all named", () => {
  expect(lines(2, [], [])[0]).toMatch(/: 2 tool calls that a model asked for, made without tool\(\); a replay runs /);
  expect(lines(7, ["a", "b", "c", "d", "e", "f", "g"], [])[0]).toContain("tool(): a, b, c, d, e and 2 more;");
});

test("an effect is named once and with its place, and so is what a replay refuses", () => {
  const thread = { kind: "worker", target: "thread", count: 2, scope: -1, stack: "at main (agent.js:4:13)\nat x" };
  const linesOf = (leaks: object[]): string[] => effectLines({ steps: [], facts: { leaks } } as unknown as Envelope);
  const line = "not recorded: thread thread (2 times, agent.js:4:13): a replay runs it again, under guard";
  expect(linesOf([thread, { ...thread, scope: 3 }, { ...thread, kind: "read", target: "/etc/hosts" }])).toEqual([line]);
  expect(linesOf([thread, { ...thread, kind: "child", target: "git status", count: 1 }])).toEqual([
    line,
    "not recorded: child process git status (agent.js:4:13)",
    expect.stringMatching(/^a replay refuses it: wrap what uses it in tool\("name", fn\)/),
  ]);
});

test.each([
  ["at f (/srv/app/agent.js:4:13)", "/srv/app", "agent.js:4:13"],
  ["at async file:///srv/app/src/a%20b.js:4:13", "/srv/app", "src/a b.js:4:13"],
  ["at f (/srv/application/agent.js:4:13)", "/srv/app", "/srv/application/agent.js:4:13"],
  ["at f (file:///C:/app/src/agent.js:4:13)", "C:\\app", "src\\agent.js:4:13"],
  ["at f (node:net:1:2)", "/srv/app", "node:net:1:2"],
])("the place of %s is relative to the working directory of the run", (stack, cwd, place) => {
  const leaks = [{ kind: "socket", target: "h", stack }];
  const [effect] = unrecordedEffects({ facts: { leaks, process: { cwd } } } as unknown as Envelope);
  expect(effect?.place).toBe(place);
});
