import { ATTR } from "../schema/attributes.ts";
import { type Manifest, type ManifestSpan, type RunStatus, runStatus } from "../schema/manifest.ts";
import type { RootFacts } from "../schema/root-facts.ts";
import type { JoinedTraces } from "../otlp/join-traces.ts";
import { decodeResource } from "../otlp/resource.ts";
import type { OtlpSpan } from "../otlp/span.ts";
import { errorFingerprint } from "./error-fingerprint.ts";
import { foreignView } from "./foreign-view.ts";
import type { Run, RunStep } from "./run.ts";
import { spanKind } from "./span-kind.ts";

const LONGEST_MESSAGE = 500;
const TOKENS = "llm.token_count.";
const TOOL = "tool:";
const SESSION = ["session.id", "gen_ai.conversation.id"];
const USER = ["user.id", "enduser.id"];

/** The facts of a manifest, all of them taken from the spans. `run.spans` must be those of `joined`, in its order. */
export function deriveManifest(
  run: Run,
  joined: Omit<JoinedTraces, "bytes">,
  { revision = 0, previous }: { readonly revision?: number; readonly previous?: string },
): Manifest {
  const { facts, root, steps } = run;
  const rootText = (key: string) => text(root?.attributes[key]);
  const view = run.foreign ? foreignView(run) : ownView(run);
  return {
    v: 1,
    run: run.id,
    revision,
    ...(previous !== undefined && { previous }),
    content: joined.content,
    traces: [...new Set(joined.spans.map(({ scanned }) => scanned.traceId))].toSorted(),
    ...named("parent", rootText(ATTR.runParent)),
    name: facts?.name ?? root?.name ?? "",
    ...(facts?.trigger !== undefined && { trigger: facts.trigger }),
    ...originOf(run),
    ...named("session", metadataOf(run, SESSION)),
    ...named("user", metadataOf(run, USER)),
    ...timesOf(run),
    status: view.status,
    flags: flagsOf(run),
    error: view.error,
    complete: run.complete,
    incompleteReasons: [...run.incompleteReasons],
    steps: steps.length,
    slots: new Set(steps.map(slotOf)).size,
    counts: view.counts,
    models: view.models,
    ...(view.tools && view.tools.length > 0 && { tools: view.tools }),
    tokens: view.tokens,
    cost: null,
    redaction: redactionOf(run),
    ...(facts && madeBy(facts)),
    spans: joined.spans.map((placed, at) => manifestSpanOf(run.spans[at]!, placed)),
  };
}

/** Service and instance: as the root states them, else as the resource does. */
function originOf(run: Run): Pick<Manifest, "service" | "instance"> {
  const { facts } = run;
  const resource = resourceOf(run);
  return {
    service: {
      ...named("name", facts?.service?.name ?? text(resource["service.name"])),
      ...named("version", facts?.service?.version ?? text(resource["service.version"])),
    },
    ...named("instance", facts?.instance ?? text(resource["service.instance.id"])),
  };
}

function madeBy({ recorder, replay }: RootFacts): Pick<Manifest, "recorder" | "replay"> {
  return { ...(recorder && { recorder }), ...(replay && { replay }) };
}

function timesOf({ root, spans }: Run): Pick<Manifest, "started" | "ended"> {
  const starts = spans.map(({ span }) => span.startUnixNano);
  const started = root?.startUnixNano ?? starts.reduce((a, b) => (b < a ? b : a), starts[0] ?? 0n);
  return { started: String(started), ended: root && root.endUnixNano > 0n ? String(root.endUnixNano) : null };
}

function manifestSpanOf({ record, span }: Run["spans"][number], placed: JoinedTraces["spans"][number]): ManifestSpan {
  return {
    id: span.spanId,
    parent: span.parentSpanId,
    kind: spanKind(span),
    name: span.name,
    ...(record && { slot: slotOf({ record }), attempt: record.attempt }),
    offset: placed.offset,
    length: placed.length,
    digest: placed.digest.slice(0, 32),
  };
}

function ownView(run: Run) {
  const { root, steps } = run;
  const tools = steps.flatMap(({ record: { op } }) => (op.startsWith(TOOL) ? [op.slice(TOOL.length)] : []));
  return {
    status: statusOf(root),
    error: errorOf(run),
    counts: countsOf(steps),
    models: [...new Set(steps.flatMap(({ record }) => record.model?.answered ?? record.model?.asked ?? []))].toSorted(),
    tokens: tokensOf(steps),
    tools: [...new Set(tools)].toSorted(),
  };
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const named = <K extends string>(key: K, value: string | undefined) =>
  value === undefined ? {} : ({ [key]: value } as Record<K, string>);
const slotOf = ({ record }: Pick<RunStep, "record">) => `${record.path}|${record.op}|${record.n}`;

/**
 * The text of the root under the first of `keys` that it has; without one, that of the earliest span that has one, also a span
 * that another library made. Of equal starts the lower span id counts.
 */
function metadataOf({ root, spans }: Run, keys: readonly string[]): string | undefined {
  const said = ({ attributes }: OtlpSpan) =>
    keys.map((key) => text(attributes[key])).find((each) => each !== undefined);
  const ofRoot = root ? said(root) : undefined;
  if (ofRoot !== undefined) return ofRoot;
  let first: OtlpSpan | null = null;
  for (const { span } of spans) {
    if (said(span) === undefined) continue;
    const isEarlier =
      first === null ||
      span.startUnixNano < first.startUnixNano ||
      (span.startUnixNano === first.startUnixNano && span.spanId < first.spanId);
    if (isEarlier) first = span;
  }
  return first ? said(first) : undefined;
}

/** A run whose root is missing or says nothing is one whose process died. */
function statusOf(root: OtlpSpan | null): RunStatus {
  return runStatus.safeParse(root?.attributes[ATTR.runStatus]).data ?? "aborted";
}

/** Of the root, else of the first span that belongs to the run. */
function resourceOf(run: Run): Record<string, unknown> {
  const own =
    run.spans.find(({ span }) => span === run.root) ?? run.spans.find(({ span }) => ATTR.runId in span.attributes);
  return own ? decodeResource(own.scanned.resource) : {};
}

function flagsOf({ root, facts }: Run): string[] {
  const onSpan = root?.attributes[ATTR.flag];
  const list = Array.isArray(onSpan) ? onSpan : [onSpan];
  return [...new Set([...(facts?.flags ?? []), ...list].filter((each) => typeof each === "string"))];
}

/** The run's own error; a step's error that the agent survived is not the run's, whatever its exit code. */
function errorOf({ facts, root, steps }: Run): Manifest["error"] {
  const failed = steps.findLast(({ record }) => record.error !== undefined);
  const status = statusOf(root);
  const said = status === "failed" ? (root?.status.message ?? "") : "";
  const error = facts?.error ?? (said === "" ? undefined : { class: "", name: "", message: said, code: undefined });
  if (!error) return null;
  const sameStep = failed && failed.record.error?.message === error.message;
  const op = sameStep ? failed.record.op : null;
  return {
    class: error.class,
    message: error.message.slice(0, LONGEST_MESSAGE),
    ...(sameStep && { step: failed.record.step }),
    fingerprint: errorFingerprint({ ...error, op }),
  };
}

/** Slots by kind, so that their sum is `slots`: the attempts of one call count once, as what the last one was. */
function countsOf(steps: readonly RunStep[]): Record<string, number> {
  const kinds = new Map(steps.map((step) => [slotOf(step), spanKind(step.span)]));
  const counts = new Map<string, number>();
  for (const kind of kinds.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function tokensOf(steps: readonly RunStep[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { span } of steps) {
    for (const key of Object.keys(span.attributes)) {
      if (!key.startsWith(TOKENS)) continue;
      const value = span.attributes[key];
      if (typeof value !== "number" || !Number.isFinite(value)) continue;
      const kind = key.slice(TOKENS.length);
      sums.set(kind, (sums.get(kind) ?? 0) + value);
    }
  }
  return Object.fromEntries(sums);
}

function redactionOf({ facts, steps }: Run): Manifest["redaction"] {
  const all = [facts?.redacted ?? [], ...steps.map(({ record }) => record.redacted ?? [])].flat();
  const counts = new Map<string, number>();
  for (const each of all)
    for (const [type, n] of Object.entries(each.counts)) counts.set(type, (counts.get(type) ?? 0) + n);
  const unique = (key: "policy" | "rules" | "kid") => [...new Set(all.map((each) => each[key]))].toSorted();
  return {
    policies: unique("policy"),
    rules: unique("rules"),
    kids: unique("kid"),
    counts: Object.fromEntries(counts),
  };
}
