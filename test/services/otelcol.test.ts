import type { Envelope } from "@reenact/envelope/file";
import { otlpJson } from "@reenact/envelope";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordDesk, requestOf, type RunningCollector, startCollector, until } from "../e2e/running-collector.ts";
import { missingOtelcol, type Otelcol, startOtelcol } from "./otelcol.ts";

const missing = missingOtelcol();
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";

interface Document {
  resourceSpans: { scopeSpans: { spans: { spanId: string; attributes: { key: string; value: object }[] }[] }[] }[];
}
const spansOf = (document: Document) =>
  document.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
const byId = (spans: ReturnType<typeof spansOf>) => spans.toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1));

const FOR_PEOPLE = /^(?:(?:in|out)put\.(?:value|mime_type)|metadata|llm\.cost\.(?:prompt|completion|total))$/;

function otelcolTests(): void {
  let otelcol: Otelcol;
  let collector: RunningCollector;
  let desk: Envelope;

  beforeAll(async () => {
    if (missing !== null) throw new Error(missing);
    [otelcol, desk] = await Promise.all([startOtelcol(), recordDesk()]);
  }, 120_000);
  afterAll(async () => {
    await collector?.stop();
    await otelcol?.stop();
  });

  test("a real OpenTelemetry Collector gets every span with every attribute, split where a batch is too large", async () => {
    const to = { name: "otelcol", url: otelcol.traces, maxBatchBytes: 4096 };
    collector = await startCollector({ forward: [to] });
    await collector.send(requestOf(desk));
    const received = () => otelcol.received().flatMap((line) => spansOf(JSON.parse(line) as Document));
    await until("all spans", async () => received().length >= desk.spans.length);
    expect(otelcol.received().length).toBeGreaterThan(1);
    const sent = spansOf(otlpJson(requestOf(desk)) as Document);
    // the exporter leaves out what is empty and adds what is 0: ids and attributes are what was sent
    const before = new Map(sent.map(({ spanId, attributes }) => [spanId, attributes]));
    const essence = (spans: ReturnType<typeof spansOf>) =>
      byId(spans).map(({ spanId, attributes }) => [spanId, attributes.slice(0, before.get(spanId)?.length)]);
    expect(essence(received())).toEqual(essence(sent));
    // what viewers look for comes behind it, under names that the span does not have
    for (const { spanId, attributes } of received()) {
      const own = before.get(spanId)!;
      const added = attributes.slice(own.length).map(({ key }) => key);
      expect(added.filter((key) => !FOR_PEOPLE.test(key) || own.some((each) => each.key === key))).toEqual([]);
    }
    // counted when the answer has come, a moment behind the file
    const counts = [
      `reenact_forwarded_spans_total{destination="otelcol"} ${desk.spans.length}\n`,
      'reenact_forward_behind_bytes{destination="otelcol"} 0\n',
    ];
    await until("its counts", async () => {
      const metrics = await (await fetch(`${collector?.address.http}/metrics`)).text();
      return counts.every((count) => metrics.includes(count));
    });
  });

  test("only what fits a filter goes along, once it is sealed", async () => {
    await collector.stop();
    const before = otelcol.received().length;
    collector = await startCollector({
      forward: [
        { name: "ok", url: otelcol.traces, filter: "status:ok" },
        { name: "kept", url: otelcol.traces, filter: "tool:refund", classes: ["keep"] },
      ],
    });
    await collector.send(requestOf(desk));
    const count = () =>
      otelcol
        .received()
        .slice(before)
        .flatMap((line) => spansOf(JSON.parse(line) as Document)).length;
    await until("the kept run", async () => count() >= desk.spans.length);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(count()).toBe(desk.spans.length);
    const metrics = await (await fetch(`${collector.address.http}/metrics`)).text();
    expect(metrics).toContain('reenact_forwarded_spans_total{destination="ok"} 0\n');
  });
}

if (missing !== null && !required) test.skip(missing, () => {});
else describe("OpenTelemetry Collector", otelcolTests);
