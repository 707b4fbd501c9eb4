import type { Envelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { leakLines } from "./leak-lines.ts";

const ASKED = "message.tool_calls.0.tool_call.function.name";

function lines(unrecorded: number, asked: readonly string[], recorded: readonly string[]): string[] {
  const step = (name: string, attributes: object): object => ({ span: { name, attributes } });
  const steps = [
    ...asked.map((name, at) => step("chat", { [`llm.output_messages.${at}.${ASKED}`]: name })),
    ...recorded.map((name) => step(name, { "reenact.kind": "TOOL" })),
  ];
  return leakLines({ steps, facts: { tools: { unrecorded } } } as unknown as Envelope);
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
