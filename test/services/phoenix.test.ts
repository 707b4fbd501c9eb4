import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { encodeResource, encodeScope, encodeTraces, type OtlpSpan, plainSpan } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCollector, recordDesk, requestOf, startCollector, until } from "../e2e/running-collector.ts";
import { missingChromium, openBrowser } from "./chromium.ts";
import { missingPhoenix, type Phoenix, type PhoenixSpan, startPhoenix } from "./phoenix.ts";

const missing = missingPhoenix();
/** of test/programs/forwarded-desk.mjs */
const SESSION = "desk-session-7";
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";

function openInference(change: Partial<OtlpSpan>): Uint8Array {
  const span = plainSpan({
    traceId: "c0ffee00c0ffee00c0ffee00c0ffee01",
    spanId: "c0ffee00c0ffee01",
    name: "foreign",
    startUnixNano: BigInt(Date.now()) * 1_000_000n,
    endUnixNano: BigInt(Date.now()) * 1_000_000n + 5_000_000n,
    status: { code: 1, message: "" },
    ...change,
  });
  const origin = { resource: encodeResource({ "service.name": "foreign" }), scope: encodeScope("foreign") };
  return encodeTraces(span, { ...origin, resourceSchemaUrl: "", scopeSchemaUrl: "" });
}

function phoenixTests(authentication: boolean): void {
  let phoenix: Phoenix;
  let collector: RunningCollector;
  let run: Envelope;
  let full: PhoenixSpan[];
  let prices: string;

  beforeAll(async () => {
    if (missing !== null) throw new Error(missing);
    [phoenix, run] = await Promise.all([startPhoenix({ authentication }), recordDesk()]);
    const headers = phoenix.authorization === null ? {} : { authorization: phoenix.authorization };
    const to = { url: phoenix.traces, headers };
    prices = join(mkdtempSync(join(tmpdir(), "reenact-prices-")), "prices.json");
    writeFileSync(prices, JSON.stringify({ version: "v1", models: { scn: { input: 2, output: 10 } } }));
    collector = await startCollector({ prices, forward: [{ name: "full", project: "full", ...to }] });
    await collector.send(requestOf(run));
    full = await phoenix.spans("full", run.spans.length);
  }, 240_000);
  afterAll(async () => {
    await collector?.stop();
    await phoenix?.stop();
    rmSync(dirname(prices), { recursive: true, force: true });
  });

  const llm = () =>
    full
      .filter((span) => span.span_kind === "LLM")
      .toSorted((a, b) => (a.attributes["input.value"]! < b.attributes["input.value"]! ? -1 : 1));

  test("every span is there, under its parent, with its kind", () => {
    expect(full.map((span) => span.context.span_id).toSorted()).toEqual(
      run.spans.map(({ span }) => span.spanId).toSorted(),
    );
    for (const { span } of run.spans) {
      const found = full.find(({ context }) => context.span_id === span.spanId)!;
      expect(found.parent_id).toBe(span.parentSpanId);
      expect(found.span_kind).toBe(span.attributes["openinference.span.kind"]);
      expect(found.context.trace_id).toBe(span.traceId);
    }
  });

  test("message texts, both choices of n = 2, tokens", () => {
    const two = llm().find(({ attributes }) => attributes["llm.output_messages.1.message.content"] !== undefined)!;
    expect(two.attributes["llm.input_messages.0.message.content"]).toBe("You are kind.");
    expect(two.attributes["llm.input_messages.1.message.content"]).toBe("Grüße, 世界: say it twice");
    expect(two.attributes["llm.output_messages.0.message.content"]).toMatch(/^choice 0/);
    expect(two.attributes["llm.output_messages.1.message.content"]).toMatch(/^choice 1/);
    const recorded = run.spans.find(({ span }) => span.spanId === two.context.span_id)!.span.attributes;
    expect(recorded["llm.token_count.total"]).toBeGreaterThan(0);
    expect(two.attributes["llm.token_count.total"]).toBe(recorded["llm.token_count.total"]);
  });

  test("whose run it was, what it was asked, what it answered, and what it cost", () => {
    const root = full.find((span) => span.parent_id === null)!;
    expect(root.attributes["session.id"]).toBe(SESSION);
    expect(root.attributes["input.value"]).toBe("Grüße, 世界: say it twice");
    expect(root.attributes["output.value"]).toContain("the till is empty");
    expect(root.attributes["metadata.calls"]).toBe(4);
    expect(root.attributes["metadata.models"]).toContain("scn-n-2026-01-01");
    const costs = llm().map(({ attributes }) => Number(attributes["llm.cost.total"] ?? 0));
    expect(costs.filter((cost) => cost > 0)).toHaveLength(3);
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    expect(root.attributes["metadata.cost_usd"]).toBeCloseTo(total);
  });

  test("parallel tool calls with their arguments, and the tools that ran", () => {
    const key = (n: number, what: string) => `llm.output_messages.0.message.tool_calls.${n}.tool_call.function.${what}`;
    const asking = llm().find(({ attributes }) => attributes[key(0, "name")] !== undefined)!;
    expect([0, 1, 2].map((n) => asking.attributes[key(n, "name")])).toEqual(["find_order", "find_order", "refund"]);
    for (const n of [0, 1, 2]) expect(JSON.parse(String(asking.attributes[key(n, "arguments")]))).toHaveProperty("id");
    const [tool] = full.filter((span) => span.span_kind === "TOOL" && span.attributes["tool.name"] === "find_order");
    expect(tool?.attributes["input.value"]).toContain("id");
    expect(tool?.attributes["output.value"]).toContain('"total":12');
  });

  test("errors: the refused call, the tool that threw", () => {
    const failed = full.filter((span) => span.status_code === "ERROR");
    expect(failed.some((span) => span.span_kind === "LLM")).toBe(true);
    const tool = failed.find((span) => span.span_kind === "TOOL")!;
    expect(tool.attributes["tool.name"]).toBe("refund");
    expect(`${tool.status_message} ${JSON.stringify(tool.events)}`).toContain("the till is empty");
  });

  test("all that a replay needs is there in the full view, to the character", () => {
    for (const { span } of run.steps) {
      const found = full.find(({ context }) => context.span_id === span.spanId)!;
      for (const key of ["reenact.record", "reenact.run.id", "input.value", "output.value"])
        expect(found.attributes[key], key).toEqual(span.attributes[key]);
    }
  });

  const noBrowser = missingChromium();
  if (authentication) {
    // its pages ask for a password there
  } else if (noBrowser !== null && !required) test.skip(noBrowser, () => {});
  else {
    test("its page shows messages, tool calls, arguments, tokens, errors and the session in a real browser", async () => {
      const browser = await openBrowser();
      try {
        const page = (span: PhoenixSpan) => `${phoenix.url}/redirects/spans/${span.context.span_id}`;
        const two = llm().find(({ attributes }) => attributes["llm.output_messages.1.message.content"] !== undefined)!;
        const tokens = Number(two.attributes["llm.token_count.total"]).toLocaleString("en");
        const said = ["You are kind.", "Grüße, 世界: say it twice", "choice 0", "choice 1"];
        await browser.textOf(page(two), [...said, tokens]);
        const asking = llm().find(
          ({ attributes }) => attributes["llm.output_messages.0.message.tool_calls.0.tool_call.function.name"],
        )!;
        const text = await browser.textOf(page(asking), ["Refund order 7", "find_order", "refund"]);
        expect(text).toMatch(/"id"/);
        const [tool] = full.filter((span) => span.status_code === "ERROR" && span.span_kind === "TOOL");
        await browser.textOf(page(tool!), ["refund", "the till is empty"]);
        const root = full.find((span) => span.parent_id === null)!;
        await browser.textOf(page(root), ["View Session", "say it twice", "the till is empty", "cost_usd"]);
      } finally {
        await browser.close();
      }
    }, 300_000);
  }

  test("its own Total Cost comes from its own table, by the name of the model", async () => {
    const id = "c0ffee00c0ffee00c0ffee00c0ffee02";
    const call = openInference({
      traceId: id,
      spanId: "c0ffee00c0ffee02",
      attributes: {
        "openinference.span.kind": "LLM",
        "llm.model_name": "claude-sonnet-4-5",
        "llm.provider": "anthropic",
        "llm.token_count.prompt": 1_000_000,
        "llm.token_count.completion": 0,
        "llm.token_count.total": 1_000_000,
      },
    });
    const to = {
      url: phoenix.traces,
      headers: phoenix.authorization === null ? {} : { authorization: phoenix.authorization },
    };
    const second = await startCollector({ forward: [{ name: "costs", project: "costs", ...to }] });
    try {
      await second.send(call);
      await phoenix.spans("costs", 1);
      const query = `{ projects { edges { node { name costSummary { total { cost } } } } } }`;
      const cost = await until("a cost", async () => {
        const answer = await fetch(`${phoenix.url}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json", ...to.headers },
          body: JSON.stringify({ query }),
        });
        interface Project {
          name: string;
          costSummary: { total: { cost: number | null } };
        }
        const { data } = (await answer.json()) as { data: { projects: { edges: { node: Project }[] } } };
        return data.projects.edges.find(({ node }) => node.name === "costs")?.node.costSummary.total.cost;
      });
      expect(cost).toBeGreaterThan(0.5);
    } finally {
      await second.stop();
    }
  });

  test("a foreign span with a session, bytes, and a second view", async () => {
    const attributes = {
      "openinference.span.kind": "CHAIN",
      "session.id": "session-7",
      "reenact.secret": "for replay only",
      "reenact.run.id": "0123456789abcdef0123456789abcdef",
      blob: Uint8Array.of(1, 2, 255),
    };
    const second = await startCollector({
      forward: [
        {
          name: "view",
          project: "view",
          view: "openinference",
          url: phoenix.traces,
          headers: phoenix.authorization === null ? {} : { authorization: phoenix.authorization },
        },
      ],
    });
    try {
      await second.send(openInference({ attributes }));
      const [span] = await phoenix.spans("view", 1);
      expect(span?.attributes["session.id"]).toBe("session-7");
      expect(span?.attributes["blob"]).toBe("AQL/");
      expect(span?.attributes["reenact.run.id"]).toBe("0123456789abcdef0123456789abcdef");
      expect(Object.keys(span?.attributes ?? {})).not.toContain("reenact.secret");
    } finally {
      await second.stop();
    }
  });
}

if (missing !== null && !required) test.skip(missing, () => {});
else {
  describe("Phoenix", () => phoenixTests(false));
  describe("Phoenix with authentication", () => phoenixTests(true));
}
