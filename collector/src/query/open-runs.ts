import { ATTR, decodeResource, decodeSpan, type OtlpSpan, type ScannedSpan, scanSpan } from "@reenact/envelope";
import { spanKind, spanTokens } from "@reenact/envelope/file";
import type { OpenRunView } from "../assemble/open-run.ts";
import type { SpanColumns } from "../assemble/span-columns.ts";
import { indexRun } from "../catalog/index-run.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { Journal } from "../journal/journal.ts";
import { arrivals, hexId } from "./open-facts.ts";
import type { OpenFacts, OpenRuns } from "./unpacked-runs.ts";
import { linesOf, orderOf } from "./run-steps.ts";
import { markedRow } from "../retain/marked-row.ts";

/** `OpenFacts`, also where the answers come from another thread. */
type Told<Facts> = {
  readonly [Name in keyof Facts]: Facts[Name] extends (...asked: infer Asked) => infer Fact
    ? (...asked: Asked) => Fact | Promise<Fact>
    : never;
};
type SpanBytes = { bytes(range: Parameters<Journal["bytes"]>[0]): Promise<Uint8Array> | Uint8Array };

/** So many of those that are listed are looked into, and none that is larger: listing must stay cheap. */
const LOOKED_INTO = 50;
const LARGEST = 4 * 1024 * 1024;

/** Reads runs that lie in the journal, those still open and those that are sealed and wait for their pack. For any thread. */
export function createOpenRuns(facts: Told<OpenFacts>, journal: SpanBytes): OpenRuns {
  async function spans(tenant: string, run: string): Promise<ScannedSpan[] | null> {
    return (await read(tenant, run, 0, Number.POSITIVE_INFINITY))?.spans ?? null;
  }

  /**
   * A run may be packed, and its entries released, between the answer where its spans lie and reading them: a read that failed
   * is repeated once from where they lie then.
   */
  async function read(tenant: string, run: string, from: number, most: number) {
    for (let tried = 0; ; tried++) {
      // oxlint-disable-next-line no-await-in-loop
      const chains = await facts.columns(tenant, run);
      if (chains === null) return null;
      try {
        // oxlint-disable-next-line no-await-in-loop
        return { chains, spans: await spansIn(chains, from, most) };
      } catch (error) {
        if (tried > 0) throw error;
      }
    }
  }

  async function spansIn(chains: readonly SpanColumns[], from: number, most: number): Promise<ScannedSpan[]> {
    let before = 0;
    const reading = chains.map((columns) => {
      const begin = before;
      before += columns.id.length;
      return spansOf(columns, journal, Math.max(0, from - begin), Math.max(0, from + most - begin));
    });
    return (await Promise.all(reading)).flat();
  }

  async function rowOf(view: OpenRunView, look: boolean): Promise<RunRow> {
    if (!look || view.bytes > LARGEST) return openRow(view, []);
    try {
      return openRow(view, (await spans(view.tenant, view.run)) ?? []);
    } catch {
      // sealed and released since it was listed: the catalog has it now
      return openRow(view, []);
    }
  }

  return {
    spans,
    async lines(tenant, run, from, most) {
      const found = await read(tenant, run, from, most);
      return found && linesOf(run, found.spans, orderOf(arrivals(found.chains)));
    },
    envelope: () => Promise.resolve(null),
    texts: async (tenant, runs) => facts.texts(tenant, runs),
    async rows(tenant, prefix = "") {
      const views = await facts.views(tenant, prefix);
      return Promise.all(views.map(async ({ view, row }, at) => row ?? rowOf(view, at < LOOKED_INTO)));
    },
  };
}

/** In the order in which they came, those from the one numbered `from` up to, without it, `to`. A chain has the last one first. */
async function spansOf(
  { groups, group, offset, length, id, start }: SpanColumns,
  journal: SpanBytes,
  from: number,
  to: number,
) {
  const count = group.length;
  if (from >= count || to <= 0) return [];
  const origins = await Promise.all(
    groups.map(async (each) => {
      const part = (from: number, size: number) =>
        size === 0
          ? new Uint8Array()
          : journal.bytes({ block: each.block, record: each.record, offset: from, length: size });
      return {
        resource: await part(each.resource, each.resourceLength),
        resourceSchemaUrl: each.resourceUrl,
        scope: await part(each.scope, each.scopeLength),
        scopeSchemaUrl: each.scopeUrl,
      };
    }),
  );
  const spans: ScannedSpan[] = [];
  for (let n = count - 1 - from; n >= Math.max(0, count - to); n--) {
    const at = group[n]!;
    const { block, record } = groups[at]!;
    const span = await journal.bytes({ block, record, offset: offset[n]!, length: length[n]! });
    spans.push({
      ...origins[at]!,
      span,
      traceId: scanSpan(span).traceId,
      spanId: hexId(id[n]!),
      startUnixNano: start[n]!,
    });
  }
  return spans;
}

function rootFlags(spans: readonly OtlpSpan[]): string[] {
  return spans.flatMap(({ attributes }) => attributes[ATTR.flag]).filter((each) => typeof each === "string");
}

/** What can be said before the end: nothing of it is final, its status least of all. */
function openRow(view: OpenRunView, scanned: readonly ScannedSpan[]): RunRow {
  const spans = scanned.map((each) => decodeSpan(each.span));
  const resource = scanned[0] ? decodeResource(scanned[0].resource) : {};
  const index = indexRun(spans, resource);
  const texts = (key: string) => [
    ...new Set(spans.map(({ attributes }) => attributes[key]).filter((value) => typeof value === "string")),
  ];
  const of = (kind: string) => spans.filter((span) => spanKind(span) === kind).length;
  const starts = spans.map(({ startUnixNano }) => Number(startUnixNano / 1_000_000n));
  const tokens = spans.map(({ attributes }) => attributes["llm.token_count.total"]);
  const tokenKinds: Record<string, number> = {};
  for (const span of spans)
    for (const [kind, count] of Object.entries(spanTokens(span))) tokenKinds[kind] = (tokenKinds[kind] ?? 0) + count;
  const name = resource["service.name"];
  const version = resource["service.version"];
  const row: RunRow = {
    tenant: view.tenant,
    run: view.run,
    revision: 0,
    state: "open",
    class: "short",
    rule: null,
    project: index.project,
    name: spans.find(({ attributes }) => ATTR.root in attributes)?.name ?? "",
    service: typeof name === "string" ? name : null,
    version: typeof version === "string" ? version : null,
    instance: null,
    session: texts("session.id")[0] ?? null,
    user: texts("user.id")[0] ?? null,
    trigger: null,
    parent: texts(ATTR.runParent)[0] ?? null,
    replayOf: texts(ATTR.replayOf)[0] ?? null,
    replay: null,
    status: "ok",
    complete: false,
    incompleteReasons: ["the run is still open"],
    error: null,
    flags: rootFlags(spans),
    tags: index.tags,
    models: texts("llm.model_name").toSorted(),
    tools: index.tools,
    traces: [...new Set(spans.map(({ traceId }) => traceId))].toSorted(),
    started: starts.length === 0 ? view.firstReceived : Math.min(...starts),
    ended: null,
    durationMs: null,
    received: view.firstReceived,
    steps: spans.filter(({ attributes }) => ATTR.record in attributes).length,
    llm: of("LLM"),
    toolCalls: of("TOOL"),
    tokens: tokens.reduce((sum: number, each) => sum + (typeof each === "number" ? each : 0), 0),
    tokenKinds,
    errors: index.errors,
    question: index.question,
    answer: index.answer,
    cost: null,
    parts: [],
  };
  return markedRow(row, view.marks);
}
