import { afterEach, expect, test } from "vitest";
import { attachInstrumentation, attachStepsAside, type ApiTracerProvider } from "./attach.ts";
import { live, setProcessFrame } from "../run/context.ts";
import type { Dialect } from "../span/dialect.ts";
import { Run } from "../run/run.ts";
import { globalRegistry } from "../patch/global-registry.ts";

const nativeFetch = globalThis.fetch;
const undo: (() => void)[] = [];
const ended: { name: string; attributes: Map<string, unknown>; status: number }[] = [];

const dialect = (name: string, path = "/model"): Dialect => ({
  name,
  recognise: ({ url }) =>
    url.pathname !== path
      ? null
      : {
          op: `${name}.call`,
          kind: "LLM",
          agentic: true,
          name,
          vendor: "unknown",
          dimensions: () => ({ params: [], unkeyed: [] }),
          toolCalls: () => [],
          assemble: () => null,
          view: () => ({ attributes: { "llm.model_name": "secret" }, model: {}, error: null }),
        },
});

const provider: ApiTracerProvider = {
  getTracer: () => ({
    startSpan(name) {
      const span = { name, attributes: new Map<string, unknown>(), status: 0 };
      return {
        setAttribute: (key, value) => span.attributes.set(key, value),
        setStatus: ({ code }) => (span.status = code),
        end: () => void ended.push(span),
      };
    },
  }),
};

function attach(name = "one", path?: string): void {
  undo.push(attachInstrumentation({ dialect: dialect(name, path), record: true, tracerProvider: () => provider }));
}

/** A network that answers with these chunks, one for each pull. */
function network(...chunks: string[]): void {
  globalThis.fetch = () => {
    const rest = chunks.map((chunk) => new TextEncoder().encode(chunk));
    const pull = (c: ReadableStreamDefaultController): void => (rest.length > 0 ? c.enqueue(rest.shift()) : c.close());
    return Promise.resolve(new Response(new ReadableStream({ pull }, { highWaterMark: 0 })));
  };
}

afterEach(() => {
  for (const back of undo.splice(0)) back();
  globalThis.fetch = nativeFetch;
  ended.length = 0;
  delete globalRegistry().attached;
});

test("without a policy nothing of a call but its kind and its end is on the span, whatever was asked for", async () => {
  network("answer");
  attach();
  expect(await (await fetch("http://host/model", { method: "POST", body: "{}" })).text()).toBe("answer");
  expect(ended.map(({ name, status }) => [name, status])).toEqual([["LLM", 1]]);
  expect([...(ended[0]?.attributes.keys() ?? [])]).toEqual([
    "reenact.replayable",
    "reenact.schema",
    "reenact.run.id",
    "openinference.span.kind",
    "reenact.kind",
  ]);
});

test("a call of another kind, and our own work, pass", async () => {
  network("answer");
  attach();
  await (await fetch("http://host/other")).text();
  await (await live(() => fetch("http://host/model"))).text();
  expect(ended).toEqual([]);
});

test("a stream that is open when the loop is empty has its span ended, and can be read on", async () => {
  network("a", "b");
  const before = new Set(process.listeners("beforeExit"));
  attach();
  const added = process.listeners("beforeExit").filter((listener) => !before.has(listener));
  expect(added).toHaveLength(1);
  const response = await fetch("http://host/model");
  for (const listener of added) listener(0);
  expect(ended).toHaveLength(1);
  expect(await response.text()).toBe("ab");
  expect(ended).toHaveLength(1);
});

test("another copy that is attached goes first, and so does a recorder", async () => {
  network("answer");
  globalRegistry().attached = new Map([["two", {}]]);
  attach("two");
  await (await fetch("http://host/model")).text();
  attach("one");
  setProcessFrame(new Run({ trigger: "process", name: "recorded", sequence: 0 }).frame);
  expect(attachStepsAside()).toBe(true);
  await (await fetch("http://host/model")).text();
  expect(ended).toEqual([]);
  setProcessFrame(null);
  await (await fetch("http://host/model")).text();
  expect(ended).toHaveLength(1);
});

test("each dialect has its own undo; the last one gives fetch back, whose name and length never changed", () => {
  const real = globalThis.fetch;
  attach("one", "/one");
  attach("two", "/two");
  expect([globalThis.fetch.name, globalThis.fetch.length]).toEqual([real.name, real.length]);
  undo.shift()?.();
  expect(globalThis.fetch).not.toBe(real);
  undo.shift()?.();
  expect(globalThis.fetch).toBe(real);
});
