import type { Operation, RedactedPlace, Scrubber } from "@reenact/capture";
import { digestsOf, mimeOf } from "@reenact/capture/recorder";
import { findTokens, type JsonNode, parseJson, type RequestDigests } from "@reenact/envelope";
import type { RecordedStep } from "../tape/tape.ts";
import type { CallVerdict } from "../verdict/verdict.ts";
import type { Asked } from "./asked.ts";
import { type ComparedAddress, compareAddresses } from "./compare-address.ts";
import { bodyDifferences, formNote } from "./compare-body.ts";
import type { Difference } from "./difference.ts";
import { markDifferences, markedNumbers } from "./compare-marks.ts";
import { type ComparedHeaders, compareHeaders } from "./headers.ts";
import type { AsRecorded } from "./own-secrets.ts";
import { recordedBody, type RecordedRequestBody } from "./recorded-request.ts";
import { telemetryOf } from "./telemetry.ts";
import { argumentDifferences } from "./typed-arguments.ts";
import type { ValueAlignment } from "./value-alignment.ts";

export interface Comparison {
  readonly verdict: Extract<CallVerdict, "exact" | "equivalent" | "params" | "system" | "history" | "changed">;
  /** what differs; the first one is to blame for the verdict */
  readonly differences: readonly Difference[];
  /** differences that decide nothing about the answer, in words */
  readonly notes: readonly string[];
}

export interface CompareContext {
  readonly alignment: ValueAlignment;
  readonly scrubber: Scrubber;
  readonly asRecorded: AsRecorded;
  /** what the request was recognised as; null: no call of a model */
  readonly operation: Operation | null;
}

/** Compares all of a request with the recorded one: method, URL, headers, body. Nothing is left out in silence. */
export function compare(asked: Asked, step: RecordedStep, context: CompareContext): Comparison {
  const { exchange, call } = step.record;
  return exchange === undefined
    ? compareCall(asked, call?.args ?? null, step, context)
    : compareExchange(asked, step, context);
}

function compareCall(asked: Asked, recorded: string | null, step: RecordedStep, context: CompareContext): Comparison {
  if (recorded === null || asked.text === null) return { verdict: "equivalent", differences: [], notes: [] };
  const found = argumentDifferences(recorded, asked.text, context.alignment.same);
  const differences = found.length > 0 ? found : redactedDifferences(step, asked, context);
  if (differences.length > 0) return { verdict: "changed", differences, notes: [] };
  const isExact = recorded === asked.text && !isRedacted(step, asked);
  return { verdict: isExact ? "exact" : "equivalent", differences, notes: [] };
}

function compareExchange(asked: Asked, step: RecordedStep, context: CompareContext): Comparison {
  const { operation } = context;
  const { address, headers, body, recorded, notes } = comparedParts(asked, step, context);
  const product = body.length === 0 ? null : telemetryOf(step, recorded, bodyOf(asked));
  if (product !== null) notes.push(`telemetry for ${product} differs (${step.record.op})`);
  const inBody = product === null ? classified(body, recorded, asked, operation) : { verdict: null, differences: [] };
  const differences = [...address.target, ...inBody.differences, ...headers.differences, ...address.origin];
  const beside = operation === null ? "changed" : "params";
  const verdict = address.target.length > 0 ? "changed" : (inBody.verdict ?? (differences.length > 0 ? beside : null));
  if (verdict !== null) return { verdict, differences, notes };
  const isSameText =
    asked.url === step.record.exchange?.request.url && recorded.text === asked.text && body.length === 0;
  const isExact = isSameText && !isRedacted(step, asked) && notes.length === 0;
  return { verdict: isExact ? "exact" : "equivalent", differences, notes };
}

const bodyOf = ({ text, bytes }: Asked): RecordedRequestBody => ({ text, bytes: bytes ?? null });

interface ComparedParts {
  readonly address: ComparedAddress;
  readonly headers: ComparedHeaders;
  readonly body: readonly Difference[];
  readonly recorded: RecordedRequestBody;
  readonly notes: string[];
}

/** Address, headers and body each for itself. Redacted values count where everything else is equal. */
function comparedParts(asked: Asked, step: RecordedStep, context: CompareContext): ComparedParts {
  const { alignment, operation, scrubber, asRecorded } = context;
  const address = compareAddresses(asked, step, operation !== null, alignment.same);
  const headers = compareHeaders(
    step.record.exchange?.request.headers ?? [],
    asked.headers,
    (name, value) => scrubber.scrub(asRecorded(value), { key: name }),
    alignment.same,
  );
  const notes = [...address.notes, ...headers.transport.map(({ name, why }) => `header ${name} differs (${why})`)];
  const recorded = recordedBody(step);
  const cuts = [step.record.exchange?.request.cut, asked.cut];
  // a body that was sent whole and that the program does not end now is another one
  const isCut = cuts[0] !== undefined || (cuts[1] !== undefined && asked.isUnended !== true);
  // of nothing there is nothing to compare
  if (isCut && cuts.some((cut) => cut !== 0)) {
    // how much of it was sent depends on the network
    alignment.noteByPlace(`${step.index} request body`);
    notes.push(`the body of a request that was not sent whole is not compared (${step.record.op})`);
  }
  const inText = isCut ? [] : bodyDifferences(step, recorded, asked, alignment.same);
  const values =
    isCut || inText.length > 0 ? [] : redactedDifferences(step, asked, context, recorded.text, headers.places);
  const body = [...inText, ...values.filter(({ of }) => of === undefined)];
  address.target.push(...values.filter(({ of }) => of !== undefined && of !== "header"));
  headers.differences.push(...values.filter(({ of }) => of === "header"));
  const form = body.length === 0 ? formNote(recorded, asked, alignment.same) : null;
  if (form !== null) notes.push(`${form} (${step.record.op})`);
  return { address, headers, body, recorded, notes };
}

/** Of values for which equal things stand in both texts: by their marks, or counted where another key made these. */
function redactedDifferences(
  { index, record: { redacted } }: RecordedStep,
  asked: Asked,
  { alignment, scrubber }: CompareContext,
  body: string | null = null,
  inHeaders: readonly RedactedPlace[] = [],
): readonly Difference[] {
  const marked = redacted?.places?.filter(({ marks }) => marks !== undefined) ?? [];
  if (marked.length === 0) return [];
  if (redacted?.kid === scrubber.kid) {
    const places = [...(asked.places?.() ?? []), ...inHeaders];
    return markDifferences(marked, places, { recorded: body, now: asked.text });
  }
  for (const { at, rule, marks = "" } of marked)
    for (let n = markedNumbers(marks); n > 0; n--) alignment.noteByPlace(`${index} ${rule} ${at} ${n}`);
  return [];
}

const isRedacted = (step: RecordedStep, asked: Asked): boolean =>
  asked.redacted || Object.keys(step.record.redacted?.counts ?? {}).length > 0;

type Dimension = "messages" | "system" | "tools" | "params";

/** The verdict of differences in a body, and the differences with those in front that it is about. */
function classified(
  differences: readonly Difference[],
  recorded: RecordedRequestBody,
  asked: Asked,
  operation: Operation | null,
): { verdict: Comparison["verdict"] | null; differences: readonly Difference[] } {
  if (differences.length === 0) return { verdict: null, differences };
  const before =
    operation === null || recorded.text === null ? null : digestsAndRanges(operation, recorded.text, asked);
  const after = operation === null || asked.text === null ? null : digestsAndRanges(operation, asked.text, asked);
  if (before === null || after === null) return { verdict: "changed", differences };
  const dimensionOf = ({ at }: Difference): Dimension =>
    at === undefined ? "params" : at.now >= 0 ? after.dimensionAt(at.now) : before.dimensionAt(at.recorded);
  // digests number tokens by their first appearance: one value in the place of another may leave them as they are
  const redacted = differences.find((each) => isToken(each) && dimensionOf(each) !== "params");
  const byDigest = classOf(after.digests, before.digests, operation?.kind === "LLM");
  const { verdict, dimension } =
    byDigest.dimension === "params" && redacted !== undefined ? classIn(dimensionOf(redacted)) : byDigest;
  const isIn = (each: Difference): boolean => dimensionOf(each) === dimension;
  return { verdict, differences: [...differences.filter(isIn), ...differences.filter((each) => !isIn(each))] };
}

const isToken = ({ recorded, now, isRedacted: isMarked }: Difference): boolean =>
  isMarked === true || [recorded, now].some((value) => typeof value === "string" && findTokens(value).length > 0);

function classIn(dimension: Dimension): { verdict: Comparison["verdict"]; dimension: Dimension } {
  return { verdict: dimension === "system" ? "system" : "changed", dimension };
}

interface Digested {
  readonly digests: RequestDigests;
  /** the dimension to which the value at this offset belongs */
  dimensionAt(offset: number): Dimension;
}

/** Null for a body that is no JSON. */
function digestsAndRanges(operation: Operation, text: string, asked: Asked): Digested | null {
  let parsed: JsonNode;
  try {
    parsed = parseJson(text);
  } catch {
    return null;
  }
  const dimensions = operation.dimensions(parsed);
  const ranges = (["messages", "system", "tools"] as const).map((name) => ({ name, nodes: dimensions[name] ?? [] }));
  return {
    digests: digestsOf(operation, text, null, mimeOf(asked.headers)),
    dimensionAt: (offset) =>
      ranges.find(({ nodes }) => nodes.some(({ start, end }) => offset >= start && offset < end))?.name ?? "params",
  };
}

/**
 * Which dimension is to blame. Older messages that differ under the same last one are `history`. What stands in no
 * digest (a signature, a cache mark, the order of tools) changes what comes back, as a parameter does.
 */
function classOf(
  now: RequestDigests,
  then: RequestDigests,
  isChat: boolean,
): { verdict: Comparison["verdict"]; dimension: Dimension } {
  const a = now.messages ?? [];
  const b = then.messages ?? [];
  const sameMessages = a.length === b.length && a.every((m, i) => m === b[i]);
  if (!sameMessages) {
    const isHistory = isChat && a.length > 1 && b.length > 1 && a.at(-1) === b.at(-1);
    return { verdict: isHistory ? "history" : "changed", dimension: "messages" };
  }
  if (now.system !== then.system) return { verdict: "system", dimension: "system" };
  if (now.tools !== then.tools) return { verdict: "changed", dimension: "tools" };
  return { verdict: "params", dimension: "params" };
}
