import { AGENT_NAME } from "@arizeai/openinference-semantic-conventions";
import { ATTR, type RecordedError } from "@reenact/envelope";
import { watchesForeign } from "../ambient/operations/native-wakeups.ts";
import type { AttributeList } from "./attributes.ts";
import { epochNow } from "../patch/originals.ts";
import { recorder } from "../run/recorder.ts";
import type { RootTexts } from "../redact/read-root.ts";
import type { RunContext } from "../run/context.ts";
import type { RunEnd } from "../run/run-start.ts";
import { scrubError } from "../redact/scrub-error.ts";
import { scrubText, Tally } from "../redact/scrub-exchange.ts";
import { valueOfRoot } from "./call-part.ts";
import { redactedBy, valueMarks } from "../redact/redacted-by.ts";
import { metadataAttributes } from "./metadata-attributes.ts";
import { scrubMetadata } from "../redact/scrub-metadata.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { EndedSpan } from "../run/sink.ts";
import { typedOf } from "./value-snapshot.ts";

/**
 * The facts of a root that are neither its input nor its output.
 *
 * @param unrecordedTools tools that models asked for and of which no step followed
 */
export function factsOfRoot(run: RunContext, end: RunEnd, unrecordedTools: number): Record<string, unknown> {
  const totals = run.journal.totals();
  return {
    v: 1,
    trigger: run.start.trigger,
    name: run.start.name,
    sequence: run.start.sequence,
    ...(run.start.calledIn !== undefined && { calledIn: run.start.calledIn }),
    steps: run.steps,
    lanes: { "0": { events: totals.count, sha256: totals.sha256 } },
    // without it a wake-up by a native resource leaves no trace: its order is not promised
    wakeUpsWatched: watchesForeign(),
    // without it timers leave no delays in the journal: there is nothing to compare
    delays: true,
    leaks: run.leaks.list(),
    flags: run.metadata.flags,
    ...(run.metadata.scopes === null ? {} : { said: run.metadata.scopes }),
    tools: { unrecorded: unrecordedTools },
    lossy: run.lossy,
    ...recorder.rootFacts(run),
    ...end.facts,
  };
}

export interface RootSpanOptions {
  /** of `factsOfRoot` */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly scrubber: Scrubber;
  /** the run goes on, and its journal stays for another root */
  readonly goesOn?: boolean;
}

/**
 * The root of a run: AGENT for people, `reenact.root` for replay and audit. All is taken now but the rest of the journal,
 * which is taken when the span is asked for: a step that is written before it brings its own part. `read`: input and
 * output as another thread has read them.
 */
export function rootSpan(
  run: RunContext,
  end: RunEnd,
  { facts: given, scrubber, goesOn = false }: RootSpanOptions,
): (read: RootTexts | null) => EndedSpan {
  const tally = new Tally();
  const input = run.start.input ?? null;
  const output = end.output ?? null;
  const facts = { ...given };
  const { error } = facts as { error?: RecordedError | null };
  delete facts["error"];
  // values are read by their own structure, which their text in another text does not show
  const thrown =
    error === undefined
      ? []
      : [["error", error === null ? null : scrubError(error, scrubber, tally, end.outputJson)] as const];
  const name = scrubText(scrubber, run.start.name, tally, {});
  const head: AttributeList = [
    [ATTR.schema, 1],
    [ATTR.runId, run.id],
    [ATTR.spanKind, "AGENT"],
    [ATTR.kind, "AGENT"],
    [ATTR.runStatus, end.status],
  ];
  const attributes: AttributeList = [[AGENT_NAME, name]];
  if (run.start.parent) attributes.push([ATTR.runParent, run.start.parent]);
  const { flags, user, session, tags } = run.metadata;
  const scalars = { flags, ...(user !== undefined && { user }), ...(session !== undefined && { session }) };
  attributes.push(...metadataAttributes(scrubMetadata({ ...scalars, tags: [...tags] }, scrubber, tally)));
  const isGood = end.status === "ok" || end.status === "suspended";
  const span: Omit<EndedSpan, "attributes"> = {
    run: run.id,
    traceId: run.traceId,
    spanId: run.rootSpanId,
    parentSpanId: null,
    name,
    client: false,
    started: run.started,
    ended: end.ended ?? epochNow(),
    ok: isGood,
    message: isGood ? "" : scrubText(scrubber, end.message ?? end.status, tally, {}),
    events: [],
    link: null,
  };
  return (read) => {
    const scrubbed = scrubText(scrubber, JSON.stringify(facts), tally, { mime: "application/json" });
    const values: (readonly [string, unknown])[] = [
      ...(input === null || read !== null
        ? []
        : valueFacts("input", { text: typedOf(input), json: run.start.inputJson ?? null }, scrubber, tally)),
      ...(output === null || read !== null
        ? []
        : valueFacts("output", { text: typedOf(output), json: end.outputJson ?? null }, scrubber, tally)),
      ...thrown,
    ];
    const elsewhere = [
      ...values.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`),
      ...(input === null || read === null ? [] : [`,"input":${read.input}`]),
      ...(output === null || read === null ? [] : [`,"output":${read.output}`]),
    ].join("");
    const segment = goesOn ? run.journal.segmentSoFar() : run.journal.cut();
    for (const counts of read?.counts ?? []) tally.add(counts);
    const root = `${scrubbed.slice(0, -1)}${elsewhere}${redactedMember(scrubber, tally)}${journalMember(segment)}}`;
    return { ...span, attributes: [...head, [ATTR.root, root], ...attributes] };
  };
}

function redactedMember(scrubber: Scrubber, { counts }: Tally): string {
  if (Object.keys(counts).length === 0) return "";
  return `,"redacted":${JSON.stringify(redactedBy(scrubber, { counts, places: [] }))}`;
}

/** The journal is numbers, labels and random values of ours: a scrubber that saw a card number in it would break it. */
function journalMember({ from, events }: { readonly from: number; readonly events: string }): string {
  return events === "" ? "" : `,"journal":${JSON.stringify({ lane: "0", from, events })}`;
}

/** A value, redacted, and the marks of what was replaced in it. */
function valueFacts(
  name: "input" | "output",
  { text, json }: { readonly text: string; readonly json: string | null },
  scrubber: Scrubber,
  tally: Tally,
): (readonly [string, unknown])[] {
  const own = new Tally();
  const redacted = valueOfRoot(text, json, scrubber, own);
  tally.add(own.counts, own.places);
  const marks = valueMarks(scrubber, text, own);
  return [[name, redacted], ...(marks === null ? [] : [[`${name}Marks`, marks] as const])];
}
