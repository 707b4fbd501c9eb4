import { fileURLToPath } from "node:url";
import { loadTape, type Tape } from "@reenact/replay";
import { expect, test } from "vitest";
import { type LiveFlags, liveOptions } from "./live-options.ts";
import { livePlan } from "./live-plan.ts";

const golden = loadTape(
  fileURLToPath(new URL("../../../../test/fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url)),
);
const [call] = golden.ordered;
const { exchange: _, ...record } = call!.record;
const lookup = {
  ...call!,
  index: 1,
  kind: "TOOL",
  name: "look",
  record: { ...record, op: "tool:look", call: { args: "" } },
};
const inside = { ...call!, index: 2, record: { ...call!.record, under: 1 } };
/** a call of a model, one of a tool, and one in the tool's body */
const plain = { ...call!, index: 3, kind: "HTTP", name: "GET shop.example" };
const ordered = [{ ...call!, index: 0 }, lookup, inside, plain];
const tape: Tape = { ...golden, ordered, steps: new Map(ordered.map((step) => [step.index, step])) };

const asked = (flags: Partial<LiveFlags>, of: Tape = tape) =>
  liveOptions(of, { set: [], live: [], to: [], env: [], store: "none", ...flags }, []);

test("what is live, and from where", () => {
  expect(asked({})).toBeNull();
  expect(asked({ live: ["llm"] })).toMatchObject({ models: true, tools: false, names: [], after: null, edits: [] });
  expect(asked({ liveAfter: 0, live: ["tools", "new"] })).toMatchObject({
    models: true,
    tools: true,
    names: ["new"],
    after: 0,
  });
  expect(asked({ fork: 1, set: ["prompt.1=Hi"] })).toMatchObject({
    after: 0,
    asked: "--fork 1",
    edits: [{ what: "prompt", step: 0, value: { json: '"Hi"' } }],
  });
});

test("a parameter is JSON, or a text where it is none", () => {
  const set = ["params.temperature=0.2", "params.reasoning.effort=low", "params.stop=null"];
  expect(asked({ live: ["llm"], set })?.edits.map(({ name, value }) => [name, value])).toEqual([
    ["temperature", { json: "0.2" }],
    ["reasoning.effort", { json: '"low"' }],
    ["stop", { json: "null" }],
  ]);
});

test.each<[Partial<LiveFlags>, string]>([
  [{ set: ["model=gpt-6"] }, "--set model: nothing is live"],
  [{ maxCost: 1 }, "--max-cost: nothing is live"],
  [{ to: ["llm.example.com"] }, "--to: nothing is live"],
  [{ live: ["llm"], to: ["a b"] }, "--to a b: it is no host"],
  [{ sendTokens: true }, "--send-tokens: nothing is live"],
  [{ live: ["llm"], maxCost: 1 }, "--max-cost needs the prices of models"],
  [{ live: ["llm"], prices: "/no/such" }, "--prices /no/such: ENOENT"],
  [{ liveAfter: 9 }, "--live-after 9: the run has no such step; it has 4"],
  [{ until: 5 }, "--until 5: the run has no such step; it has 4"],
  [{ fork: 2 }, "--fork 2: step 2 is a call of look, which is not run unless you ask for it"],
  [{ fork: 3 }, "--fork 3: step 3 is inside of look (step 2), whose body does not run"],
  [{ fork: 4 }, "--fork 4: step 4 is a plain request to shop.example, which is not sent unless you ask for it"],
  [{ liveAfter: 1, set: ["prompt.1=x"] }, "--set prompt.1: step 1 is served from the record"],
  [{ live: ["lookk"] }, "--live lookk: the run has no provider, host, tool, step or question of this name"],
  [{ live: ["llm"], set: ["prompt.2=x"] }, "--set prompt.2: step 2 is no request that can be edited"],
  [{ live: ["llm"], set: ["prompt=x"] }, "--set prompt: it names no part of a request"],
  [{ live: ["llm"], set: ["system=@/no/such"] }, "--set system: cannot read /no/such"],
  [
    { live: ["llm"], set: ["system=write to jane.roe.4711@example-mail.org"] },
    "holds something that redaction replaces",
  ],
  [{ live: ["llm"], set: ["model="] }, "--set model: it names no model"],
  [{ liveAfter: 1, fork: 2 }, "--live-after and --fork both say where the record ends"],
  [{ live: ["llm"], until: 1 }, "--until ends a replay that nothing is live in"],
  [{ comparedFrom: 5 }, "--from 5: the run has no such step; it has 4"],
  [{ comparedFrom: 3, until: 2 }, "--until 2 ends the replay before the first step that --from 3 compares"],
  [{ comparedFrom: 2, live: ["llm"] }, "--from 2: calls go live only behind steps that are all compared"],
])("%j is refused", (flags, message) => {
  expect(() => asked(flags)).toThrow(message);
});

test("a key that the recorded program read and that is not set here is missed at once", () => {
  const root = { ...tape.root, environment: { OPENAI_API_KEY: "API_KEY_abcd_abcdefghijklmnop" } };
  const before = process.env["OPENAI_API_KEY"];
  delete process.env["OPENAI_API_KEY"];
  try {
    expect(() => asked({ live: ["llm"] }, { ...tape, root })).toThrow(/took its key for OpenAI from OPENAI_API_KEY/);
    expect(asked({ live: ["look"] }, { ...tape, root })).not.toBeNull();
    // a replay leaves the token in the place of a value so short
    process.env["OPENAI_API_KEY"] = "demo";
    expect(() => asked({ live: ["llm"] }, { ...tape, root })).toThrow("shorter than 8 characters");
    const [recipient] = livePlan(asked({ live: ["look"] }, { ...tape, root })!, { ...tape, root }, []).recipients;
    expect(recipient?.variables).toContainEqual({ name: "OPENAI_API_KEY", isSet: false });
    expect(asked({ live: ["llm"], env: ["OPENAI_API_KEY"] }, { ...tape, root })).not.toBeNull();
    process.env["OPENAI_API_KEY"] = "sk-proj-0123456789abcdefghijklmnop";
    expect(asked({ live: ["llm"] }, { ...tape, root })).not.toBeNull();
    delete process.env["OPENAI_API_KEY"];
    // another provider alone is live
    const op = "anthropic.messages";
    const other = { ...call!, index: 4, record: { ...call!.record, op } };
    const both = { ...tape, root, ordered: [...ordered, other] };
    expect(asked({ live: ["anthropic"] }, both)).not.toBeNull();
    expect(() => asked({ live: ["openai"] }, both)).toThrow("no key");
  } finally {
    delete process.env["OPENAI_API_KEY"];
    if (before !== undefined) process.env["OPENAI_API_KEY"] = before;
  }
});
