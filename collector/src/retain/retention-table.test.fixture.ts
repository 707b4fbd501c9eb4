import { isDeepStrictEqual } from "node:util";
import { encodeSpan, plainSpan } from "@reenact/envelope";
import { foreignSpan, type SampleSpan, sampleId, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import { noLog } from "../log.ts";
import { rebuildCatalog } from "../rebuild/rebuild-catalog.ts";
import { packKeys, readPackIndexFrom } from "../seal/read-packs.ts";
import { openWorkbench } from "../seal/workbench.test.fixture.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { retentionRules } from "./retention-rules.ts";

const DAY = 86_400_000;
const START = 1_763_800_000_000_000_000n;
const YEARS = 20n * 365n * 86_400_000_000_000n;

const MAKERS = ["reenact", "OpenInference Python", "OpenTelemetry gen_ai", "AI SDK", "Traceloop"] as const;
type Maker = (typeof MAKERS)[number];
/** How the run ended. */
const ENDS = ["ok", "root error", "call error", "exception", "http 500", "aborted"] as const;
type End = (typeof ENDS)[number];
/** What else there is to it. */
const WAYS = [
  "plain",
  "late",
  "rootless",
  "skewed",
  "retried",
  "flagged",
  "kept",
  "unflagged",
  "ruled short",
  "ruled sample",
  "sampled",
] as const;
type Way = (typeof WAYS)[number];

export interface Cell {
  readonly maker: Maker;
  readonly end: End;
  readonly way: Way;
  /** the class in which it belongs */
  readonly class: "short" | "sample" | "keep";
}

/** Every cell of the table; a retried run is one whose failed call was mended, so it has no other end. */
export function cells(): Cell[] {
  return MAKERS.flatMap((maker) =>
    ENDS.flatMap((end) =>
      WAYS.flatMap((way): Cell[] => {
        // of ours the recorder says how a run ended
        if (maker === "reenact" && (end === "exception" || end === "http 500" || end === "call error")) return [];
        if (way === "retried" && (end !== "ok" || maker === "reenact")) return [];
        const kept = end !== "ok" || way === "rootless" || way === "flagged" || way === "kept";
        const expires = way === "ruled sample" || way === "sampled" ? "sample" : "short";
        return [{ maker, end, way, class: kept ? "keep" : expires }];
      }),
    ),
  );
}

const ATTRIBUTES: Record<
  Exclude<Maker, "reenact">,
  { agent: Record<string, unknown>; llm: Record<string, unknown> }
> = {
  "OpenInference Python": {
    agent: { "openinference.span.kind": "AGENT" },
    llm: { "openinference.span.kind": "LLM", "input.value": "hello" },
  },
  "OpenTelemetry gen_ai": {
    agent: { "gen_ai.operation.name": "invoke_agent" },
    llm: { "gen_ai.operation.name": "chat", "gen_ai.input.messages": "hello" },
  },
  "AI SDK": {
    agent: { "ai.operationId": "ai.generateText" },
    llm: { "ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": "hello" },
  },
  Traceloop: {
    agent: { "traceloop.span.kind": "workflow" },
    llm: { "llm.request.type": "chat", "gen_ai.prompt.0.content": "hello" },
  },
};

interface Sent {
  readonly id: string;
  /** comes at once, and after it was sealed */
  readonly first: readonly SampleSpan[];
  readonly late: readonly SampleSpan[];
}

/** `n` makes its ids. The span that fails comes late where the run is late. */
function spansOf({ maker, end, way }: Cell, n: number): Sent {
  if (maker === "reenact") {
    const status = end === "root error" ? "failed" : end;
    const { run, root, steps } = sampleRun(n, { status, ...(way === "skewed" && { trace: sampleId(n + 500_000) }) });
    const first = way === "rootless" || (way === "late" && end !== "ok") ? steps : [root, ...steps.slice(1)];
    return { id: run, first, late: way !== "late" ? [] : end === "ok" ? steps.slice(0, 1) : [root] };
  }
  const { agent, llm } = ATTRIBUTES[maker];
  const trace = sampleId(n);
  const base = way === "skewed" ? START - YEARS : START;
  const span = (id: number, rest: Partial<Parameters<typeof plainSpan>[0]>): SampleSpan => {
    const spanId = (BigInt(n) * 16n + BigInt(id)).toString(16).padStart(16, "0");
    const [from, to] = [base + BigInt(id) * 1_000_000_000n, base + BigInt(id + 1) * 1_000_000_000n];
    const times = { startUnixNano: from, endUnixNano: to };
    return { spanId, bytes: encodeSpan(plainSpan({ traceId: trace, spanId, name: "x", ...times, ...rest })) };
  };
  const error = { code: 2, message: "it broke" } as const;
  const exception = { name: "exception", timeUnixNano: base, attributes: { "exception.type": "Error" } };
  const rootOf = (): SampleSpan => {
    const http = end === "http 500" ? { "http.response.status_code": 500 } : {};
    return span(1, {
      name: "agent",
      attributes: { ...agent, ...http },
      endUnixNano: end === "aborted" ? 0n : base + 9_000_000_000n,
      ...(end === "root error" && { status: error }),
      ...(end === "exception" && { events: [exception] }),
    });
  };
  const root = rootOf();
  const call = (id: number, fails: boolean) =>
    span(id, { parentSpanId: root.spanId, name: "chat", attributes: llm, ...(fails && { status: error }) });
  const calls = way === "retried" ? [call(2, true), call(3, false)] : [call(2, end === "call error")];
  const well = span(8, { parentSpanId: root.spanId, name: "note" });
  if (way === "rootless") return { id: trace, first: calls, late: [] };
  if (way !== "late") return { id: trace, first: [root, ...calls], late: [] };
  // what says how it ended comes when all that came before was sealed as well
  const wellRoot = foreignSpan({ trace, id: n * 16 + 1, name: "agent" });
  if (end === "ok") return { id: trace, first: [root, well], late: calls };
  if (end === "call error") return { id: trace, first: [root, well], late: calls };
  return { id: trace, first: [wellRoot, ...calls], late: [{ ...root, spanId: root.spanId }] };
}

const { rules: RULES } = retentionRules.parse({
  rules: [
    { name: "chatty", class: "short", when: { service: "ruled-short" } },
    { name: "some", class: "sample", when: { service: ["ruled-sample", "sampled"] } },
  ],
});

const SERVICE: Partial<Record<Way, string>> = {
  "ruled short": "ruled-short",
  "ruled sample": "ruled-sample",
  sampled: "sampled",
};

export interface Verdict {
  readonly cell: Cell;
  /** days after which it was there for the last time, of those that were looked at */
  readonly lasted: number;
  /** it can be read, whole, wherever it is there */
  readonly whole: boolean;
}

export const LOOKS = [0, 29, 32, 179, 182, 1_000, 4_000];
/** The last look at which a run of each class is there. */
export const LASTS = { short: 29, sample: 179, keep: 4_000 };

/** Sends every cell to one collector over the store, and looks which are there as the days go by. */
export async function retentionTable(
  store: ObjectStore,
  some: readonly Cell[],
  origin: (service: string, spans: readonly SampleSpan[]) => Uint8Array,
): Promise<Verdict[]> {
  const bench = await openWorkbench({ store, rules: RULES });
  try {
    const sent = some.map((cell, n) => ({ cell, ...spansOf(cell, n + 1) }));
    const send = async (of: (each: (typeof sent)[number]) => readonly SampleSpan[]) => {
      for (const each of sent) {
        const spans = of(each);
        if (spans.length > 0) await bench.sendBody(origin(SERVICE[each.cell.way] ?? "shop", spans));
      }
      await bench.pass(1_000_000, 120_000);
    };
    await send(({ first }) => first);
    for (const { cell, id } of sent) {
      if (cell.way !== "flagged" && cell.way !== "kept" && cell.way !== "unflagged") continue;
      const mark = {
        id: "0".repeat(16),
        kind: "flag",
        name: cell.way,
        at: bench.time,
        ...(cell.way === "kept" && { pinned: true as const }),
      } as const;
      await bench.sealing.keeper.mark("acme", id, [mark]);
      if (cell.way === "unflagged") await bench.sealing.keeper.mark("acme", id, [{ mark: mark.id, at: bench.time }]);
    }
    await send(({ late }) => late);
    await bench.sealing.prune(true);

    const begin = bench.time;
    const lasted = new Map<string, number>();
    const broken = new Set<string>();
    for (const day of LOOKS) {
      bench.time = begin + day * DAY;
      await bench.sealing.sweep.sweep();
      for (const { id, first, late } of sent) {
        if ((await bench.catalog.get("acme", id)) === null) continue;
        lasted.set(id, day);
        const envelope = await bench.envelope(id).catch(() => null);
        const ids = new Set(envelope?.spans.map(({ span }) => span.spanId));
        if (![...first, ...late].every(({ spanId }) => ids.has(spanId))) broken.add(id);
      }
    }
    // a catalog that is made again finds the same runs, flags and classes: nothing hangs on the rows alone
    const rebuilt = createMemoryCatalog();
    await rebuildCatalog({ store: bench.store, catalog: rebuilt, epoch: 0, log: noLog });
    for (const { id } of sent)
      if (!isDeepStrictEqual(await rebuilt.get("acme", id), await bench.catalog.get("acme", id))) broken.add(id);
    const left = new Set<string>();
    for await (const key of packKeys(store))
      for (const { run } of (await readPackIndexFrom(store, key)).runs) left.add(run);
    for (const { id } of sent) if (left.has(id) !== (lasted.get(id) === LOOKS.at(-1))) broken.add(id);
    return sent.map(({ cell, id }) => ({ cell, lasted: lasted.get(id) ?? -1, whole: !broken.has(id) }));
  } finally {
    await bench.close();
  }
}
