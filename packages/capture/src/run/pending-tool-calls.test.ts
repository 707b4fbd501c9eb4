import { describe, expect, it } from "vitest";
import { holdTool, PendingCount, PendingToolCalls } from "./pending-tool-calls.ts";

const ask = (
  name: string,
  args: string,
  index = 0,
  id: string | null = null,
): { id: string | null; name: string; args: string; index: number } => ({ id, name, args, index });

describe("PendingToolCalls", () => {
  it("finds the place of a call by name and arguments", () => {
    const pending = new PendingToolCalls();
    pending.add("openai.chat|2", [ask("lookup", '{"q":"a"}', 0), ask("lookup", '{"q":"b"}', 1)]);
    expect(pending.take("lookup", [{ q: "b" }])).toBe("openai.chat|2.1");
    expect(pending.take("lookup", [{ q: "a" }])).toBe("openai.chat|2.0");
    expect(pending.take("lookup", [{ q: "a" }])).toBeNull();
  });

  it("takes the only candidate of a name whatever its arguments became", () => {
    const pending = new PendingToolCalls();
    pending.add("openai.chat|0", [ask("lookup", '{"q":"a"}')]);
    expect(pending.take("lookup", ["a", "with defaults"])).toBe("openai.chat|0.0");
  });

  it("counts no call ahead of which a library stopped for a person, in this run only", () => {
    const [stopped, other] = [new PendingCount(), new PendingCount()];
    const pending = new PendingToolCalls(stopped);
    pending.add("openai.chat|0", [ask("refundOrder", "{}")]);
    pending.hold("[]");
    new PendingToolCalls(other).add("openai.chat|0", [ask("refundOrder", "{}")]);
    expect([stopped.unrecorded, other.unrecorded]).toEqual([0, 1]);
  });

  it("counts calls that the stop for a person is not about", () => {
    const count = new PendingCount();
    const pending = new PendingToolCalls(count);
    pending.add("openai.chat|0", [ask("search", "{}", 0, "call_1")]);
    pending.add("openai.chat|1", [ask("refund", "{}", 0, "call_2"), ask("search", "{}", 1, "call_3")]);
    pending.hold('[{"pay":"refund"}]');
    expect(count.unrecorded).toBe(2);
    pending.hold("[]");
    expect(count.unrecorded).toBe(1);
    expect(pending.take("refund", [{}])).toBe("openai.chat|1.0");
    expect(count.unrecorded).toBe(1);
  });

  it("does not guess among several", () => {
    const pending = new PendingToolCalls();
    pending.add("openai.chat|0", [ask("lookup", '{"q":"a"}', 0), ask("lookup", '{"q":"b"}', 1)]);
    expect(pending.take("lookup", [{ q: "c" }])).toBeNull();
    expect(pending.size).toBe(2);
  });

  it("takes the newest answer first", () => {
    const pending = new PendingToolCalls();
    pending.add("openai.chat|0", [ask("lookup", "{}")]);
    pending.add("openai.chat|1", [ask("lookup", "{}")]);
    expect(pending.take("lookup", [{}])).toBe("openai.chat|1.0");
  });

  it("matches arguments that are passed one by one", () => {
    const pending = new PendingToolCalls();
    pending.add("openai.chat|0", [ask("add", '{"a":1,"b":2}', 0), ask("add", '{"a":3,"b":4}', 1)]);
    expect(pending.take("add", [3, 4])).toBe("openai.chat|0.1");
  });

  it("survives arguments that are no JSON", () => {
    const pending = new PendingToolCalls();
    pending.add("openai.chat|0", [ask("say", "{broken", 0), ask("say", "", 1)]);
    expect(pending.take("say", ["{broken"])).toBe("openai.chat|0.0");
    expect(pending.take("say", [])).toBe("openai.chat|0.1");
  });

  it("counts calls that nothing took, but not those of a tool that a hook records", () => {
    const count = new PendingCount();
    const [one, other] = [new PendingToolCalls(count), new PendingToolCalls(count)];
    one.add("openai.chat|0", [ask("remove_row", '{"row":1}', 0), ask("ask_person", "{}", 1)]);
    other.add("openai.chat|1", [ask("remove_row", '{"row":2}', 0)]);
    expect(count.unrecorded).toBe(3);
    one.take("remove_row", [{ row: 1 }]);
    expect(count.unrecorded).toBe(2);
    holdTool("removeRow");
    expect(count.unrecorded).toBe(1);
    one.add("openai.chat|2", [ask("查询", "{}", 0)]);
    holdTool("返回");
    expect(count.unrecorded).toBe(2);
  });
});
