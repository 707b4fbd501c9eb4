import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvelope, readRun, writeEnvelope } from "@reenact/envelope/file";
import { scanTraces } from "@reenact/envelope";
import { type Manifest, modelPrices } from "@reenact/envelope/schema";
import { expect, test } from "vitest";
import { foreignSpan, requestOf, sampleId, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { chooseClass, type Judged, undercutBy } from "./choose-class.ts";
import { loadRules } from "./load-rules.ts";
import type { Mark } from "./mark.ts";
import { retentionRules } from "./retention-rules.ts";
import { runCost } from "./run-cost.ts";

const sample = sampleRun(1);
const spans = scanTraces(requestOf([sample.root, ...sample.steps]));
const base = readEnvelope(writeEnvelope({ spans }).bytes).manifest;
const run = readRun(spans);

const at = 1;
const id = "0".repeat(16);
const cases: [condition: object, manifest: Partial<Manifest>, marks: readonly Mark[], fits: boolean][] = [
  [{ status: "failed" }, { status: "failed" }, [], true],
  [{ status: ["failed", "aborted"] }, { status: "ok" }, [], false],
  [{ errorClass: "Rate*" }, { error: { class: "RateLimitError", message: "", fingerprint: "0".repeat(16) } }, [], true],
  [{ errorClass: "Rate*" }, { error: null }, [], false],
  [{ agent: "agent" }, {}, [], true],
  [{ agent: "a" }, {}, [], false],
  [{ agent: "*g*n*" }, {}, [], true],
  [{ agent: "agen*gent" }, {}, [], false],
  [{ service: ["x", "shop"] }, {}, [], true],
  [{ model: "gpt-*" }, { models: ["claude", "gpt-5"] }, [], true],
  [{ model: "gpt-*" }, { models: [] }, [], false],
  [{ tool: "lookup" }, {}, [], true],
  [{ tool: "refund_*" }, {}, [], false],
  [{ cost: { above: 0.5 } }, { cost: { usd: 0.6, prices: "1" } }, [], true],
  [{ cost: { above: 0.5 } }, { cost: { usd: 0.5, prices: "1" } }, [], false],
  [{ cost: { below: 9 } }, { cost: null }, [], false],
  [{ latencyMs: { above: 999, below: 1_001 } }, {}, [], true],
  [{ latencyMs: { above: 1_000 } }, {}, [], false],
  // by a clock that was set back it ended before it started
  [{ latencyMs: { below: 0 } }, { started: "2000000000", ended: "1000000000" }, [], false],
  [{ attribute: { name: "input.value", equals: "step 1 of 1" } }, {}, [], true],
  [{ attribute: { name: "input.value", like: "step * of 2" } }, {}, [], false],
  [{ attribute: { name: "reenact.schema", above: 0 } }, {}, [], true],
  [{ attribute: { name: "toString" } }, {}, [], false],
  [{ flag: "wrong *" }, {}, [{ id, kind: "flag", name: "wrong tool", at }], true],
  [{ flag: "wrong *" }, { flags: ["wrong tone"] }, [], true],
  [{ score: { name: "quality", below: 0.5 } }, {}, [{ id, kind: "score", name: "quality", value: 0.2, at }], true],
  [{ score: { name: "quality", below: 0.5 } }, {}, [{ id, kind: "score", name: "tone", value: 0.2, at }], false],
  [{ feedback: { below: 0 } }, {}, [{ id, kind: "feedback", name: "user", value: -1, at }], true],
  [{ feedback: { equals: "bad" } }, {}, [{ id, kind: "feedback", name: "user", value: "bad", at }], true],
  [{ feedback: {} }, {}, [{ id, kind: "score", name: "x", value: 1, at }], false],
  [{ agent: "agent", tool: "nothing" }, {}, [], false],
];

test.each(cases)("%o on %o with %o: %s", (when, manifest, marks, fits) => {
  const { rules } = retentionRules.parse({ rules: [{ name: "mine", class: "sample", when }] });
  const judged: Judged = { manifest: { ...base, status: "ok", ...manifest }, run, marks };
  expect(chooseClass(judged, { rules, sampleShare: 0 }).rule === "mine").toBe(fits);
});

const choose = (manifest: Partial<Manifest>, rules: unknown[] = [], marks: readonly Mark[] = [], sampleShare = 0) =>
  chooseClass({ manifest: { ...base, ...manifest }, run, marks }, { ...retentionRules.parse({ rules }), sampleShare });

test("the first rule decides; then failed, flagged, the sample, and short", () => {
  const chatty = { name: "chatty", class: "short", when: { agent: "agent" } };
  const all = { name: "all", class: "keep", when: { status: ["ok", "failed"] } };
  expect(choose({ status: "ok" }, [chatty, all])).toEqual({ class: "short", rule: "chatty" });
  expect(choose({ status: "failed" }, [all, chatty])).toEqual({ class: "keep", rule: "all" });
  expect(choose({ status: "failed" })).toEqual({ class: "keep", rule: "failed" });
  expect(choose({ status: "aborted" })).toEqual({ class: "keep", rule: "failed" });
  expect(choose({ status: "ok" }, [], [{ id, kind: "flag", name: "x", at }])).toEqual({
    class: "keep",
    rule: "flagged",
  });
  expect(choose({ status: "ok" }, [], [], 1)).toEqual({ class: "sample", rule: "sample" });
  expect(choose({ status: "ok" })).toEqual({ class: "short" });
});

test("no rule undercuts failed, aborted or flagged, unless it names them", () => {
  const flag: Mark = { id, kind: "flag", name: "wrong row", at };
  for (const of of ["short", "sample"]) {
    const chatty = { name: "chatty", class: of, when: { agent: "agent" } };
    expect(choose({ status: "failed" }, [chatty])).toEqual({ class: "keep", rule: "failed" });
    expect(choose({ status: "aborted" }, [chatty])).toEqual({ class: "keep", rule: "failed" });
    expect(choose({ status: "ok" }, [chatty], [flag])).toEqual({ class: "keep", rule: "flagged" });
    expect(choose({ status: "ok", flags: ["own"] }, [chatty])).toEqual({ class: "keep", rule: "flagged" });
    expect(choose({ status: "suspended" }, [chatty])).toEqual({ class: "keep", rule: "suspended" });
    const failing = { name: "failing", class: of, when: { status: ["failed", "aborted"] } };
    expect(choose({ status: "failed" }, [failing])).toEqual({ class: of, rule: "failing" });
    // the flag is not named
    expect(choose({ status: "failed" }, [failing], [flag])).toEqual({ class: "keep", rule: "failed" });
    const flagged = { name: "flagged-ones", class: of, when: { flag: "wrong *" } };
    expect(choose({ status: "ok" }, [flagged], [flag])).toEqual({ class: of, rule: "flagged-ones" });
    expect(choose({ status: "failed" }, [flagged], [flag])).toEqual({ class: "keep", rule: "failed" });
    expect(choose({ status: "ok" }, [flagged], [{ ...flag, pinned: true }])).toMatchObject({ class: "keep" });
  }
});

test("rules that undercut what else is kept for ever are told at start", () => {
  const { rules } = retentionRules.parse({
    rules: [
      { name: "chatty", class: "short", when: { agent: "agent" } },
      { name: "keep-failing", class: "keep", when: { status: "failed" } },
      { name: "failing", class: "sample", when: { status: ["ok", "failed"] } },
      { name: "noisy", class: "short", when: { flag: "noise", agent: "x" } },
      { name: "well", class: "short", when: { status: "ok" } },
      { name: "waiting", class: "short", when: { status: "suspended" } },
    ],
  });
  expect(rules.flatMap((rule) => undercutBy(rule) ?? [])).toEqual(["failed", "flagged", "suspended"]);
});

test("the sample takes its share, and a larger share takes the same runs and more", () => {
  const taken = (sampleShare: number) =>
    Array.from({ length: 4_000 }, (_, n) => sampleId(n * 7919)).filter(
      (id) =>
        chooseClass({ manifest: { ...base, run: id, status: "ok" }, marks: [] }, { rules: [], sampleShare }).class ===
        "sample",
    );
  const [small, large] = [taken(0.05), taken(0.2)];
  expect(small.length / 4_000).toBeGreaterThan(0.03);
  expect(small.length / 4_000).toBeLessThan(0.07);
  expect(small.filter((id) => !large.includes(id))).toEqual([]);
});

test.each<[string, string, string]>([
  ["a rule without conditions", "rules: [{name: a, class: keep, when: {}}]", "rules.0.when: has no condition"],
  ["an unknown condition", "rules: [{name: a, class: keep, when: {colour: red}}]", "colour"],
  ["an unknown class", "rules: [{name: a, class: hold, when: {agent: x}}]", "rules.0.class"],
  [
    "a name twice",
    "rules: [{name: a, class: keep, when: {agent: x}}, {name: a, class: keep, when: {agent: y}}]",
    "name a is taken",
  ],
  ["a range that says nothing", "rules: [{name: a, class: keep, when: {cost: {}}}]", "neither above nor below"],
  ["no YAML", "rules: [", "retention rules"],
])("refuses %s, with file and place", (_, text, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "reenact-rules-"));
  const file = join(folder, "rules.yaml");
  try {
    writeFileSync(file, text);
    expect(() => loadRules(file)).toThrow(
      expect.objectContaining({ code: "BAD_CONFIG", message: expect.stringContaining(expected) }),
    );
    expect(() => loadRules(file)).toThrow(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a run costs what its calls cost; with an unknown model nobody knows", () => {
  const call = (id: number, model: string, extra: object = {}) =>
    foreignSpan({
      trace: sampleId(3),
      id,
      attributes: {
        "openinference.span.kind": "LLM",
        "llm.model_name": model,
        "llm.token_count.prompt": 1_000,
        "llm.token_count.completion": 100,
        ...extra,
      },
    });
  const prices = modelPrices.parse({
    version: "2026-11",
    models: { gpt: { input: 9, output: 9 }, "gpt-5": { input: 1, output: 10, cached: 0.1 } },
  });
  const cost = (...calls: ReturnType<typeof call>[]) =>
    runCost(readRun(scanTraces(requestOf(calls)), sampleId(3)), prices);
  expect(cost(call(1, "gpt-5-2026"), call(2, "gpt-4"))).toEqual({
    usd: (1_000 + 1_000 + 9_000 + 900) / 1e6,
    prices: "2026-11",
  });
  expect(cost(call(1, "gpt-5", { "llm.token_count.prompt_details.cache_read": 600 }))).toEqual({
    usd: (400 + 60 + 1_000) / 1e6,
    prices: "2026-11",
  });
  expect(cost(call(1, "gpt-5"), call(2, "llama"))).toBeNull();
  expect(cost()).toEqual({ usd: 0, prices: "2026-11" });
});

test.each([
  ["a chat whose answer names no model", { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5" }],
  ["generate_content", { "gen_ai.operation.name": "generate_content", "gen_ai.response.model": "gpt-5" }],
  ["text_completion", { "gen_ai.operation.name": "text_completion", "gen_ai.response.model": "gpt-5" }],
  ["OpenLLMetry", { "llm.request.type": "chat", "gen_ai.request.model": "gpt-5" }],
  ["AI SDK", { "ai.operationId": "ai.generateText.doGenerate", "gen_ai.response.model": "gpt-5" }],
])("%s has its cost", (_, attributes) => {
  const prices = modelPrices.parse({ version: "1", models: { "gpt-5": { input: 1, output: 10, cached: 0.1 } } });
  const call = (usage: object) => foreignSpan({ trace: sampleId(3), id: 1, attributes: { ...attributes, ...usage } });
  const cost = (usage: object) => runCost(readRun(scanTraces(requestOf([call(usage)])), sampleId(3)), prices)?.usd;
  expect(cost({ "gen_ai.usage.input_tokens": 1_000, "gen_ai.usage.output_tokens": 100 })).toBe(2_000 / 1e6);
  expect(cost({ "gen_ai.usage.prompt_tokens": 1_000, "gen_ai.usage.completion_tokens": 100 })).toBe(2_000 / 1e6);
  const cached = { "gen_ai.usage.input_tokens": 1_000, "gen_ai.usage.cache_read.input_tokens": 600 };
  expect(cost(cached)).toBeCloseTo(460 / 1e6, 12);
  expect(cost({})).toBeUndefined();
});

test("embeddings cost what was asked of them", () => {
  const prices = modelPrices.parse({ version: "1", models: { embed: { input: 2, output: 0 } } });
  const attributes = {
    "openinference.span.kind": "EMBEDDING",
    "embedding.model_name": "embed-3",
    "llm.token_count.prompt": 500,
  };
  const run = readRun(scanTraces(requestOf([foreignSpan({ trace: sampleId(3), id: 1, attributes })])), sampleId(3));
  expect(runCost(run, prices)).toEqual({ usd: 1_000 / 1e6, prices: "1" });
});
