import { hash } from "node:crypto";
import { endTime } from "@reenact/envelope";
import type { Run } from "@reenact/envelope/file";
import type { Manifest, RetentionClass } from "@reenact/envelope/schema";
import { flagNames, type Mark } from "./mark.ts";
import type { RetentionRule } from "./retention-rules.ts";

export interface RetentionChoice {
  readonly class: RetentionClass;
  /** its name; absent: none, the run is in `short` like every other */
  readonly rule?: string;
}

export interface Judged {
  readonly manifest: Manifest;
  /** absent: only the manifest is at hand, and rules on attributes do not fit */
  readonly run?: Run;
  /** without those that were removed */
  readonly marks: readonly Mark[];
  /**
   * A mark was removed, and without `run` its attributes cannot be looked at. A rule that asks for marks and an attribute then
   * fits without the attribute: the run is kept when in doubt.
   */
  readonly inDoubt?: boolean;
}

export const RANK: Readonly<Record<RetentionClass, number>> = { short: 0, sample: 1, keep: 2 };

/** The class that keeps longer: retention only ever upgrades. */
export const longerClass = (a: RetentionClass, b: RetentionClass): RetentionClass => (RANK[a] >= RANK[b] ? a : b);

/** Of runs that are kept for ever where no rule names their status. */
const KEPT_STATUSES: ReadonlySet<string> = new Set(["failed", "aborted", "suspended"]);

/**
 * Pinned ones; the first rule that fits; then failed, aborted, suspended and flagged runs; then the sample, by the hash of the run
 * id. A rule that keeps a failed, aborted, suspended or flagged run for less than ever is passed over, unless it names that.
 */
export function chooseClass(
  judged: Judged,
  policy: { readonly rules: readonly RetentionRule[]; readonly sampleShare: number },
): RetentionChoice {
  const { manifest, marks } = judged;
  if (marks.some(({ pinned }) => pinned)) return { class: "keep", rule: "pinned" };
  const isKept = KEPT_STATUSES.has(manifest.status);
  const flagged = flagsOf(manifest, marks).length > 0;
  const undercuts = ({ class: of, when }: RetentionRule) =>
    of !== "keep" && ((isKept && when.status === undefined) || (flagged && when.flag === undefined));
  for (const rule of policy.rules)
    if (fits(rule, judged) && !undercuts(rule)) return { class: rule.class, rule: rule.name };
  if (isKept) return { class: "keep", rule: manifest.status === "suspended" ? "suspended" : "failed" };
  if (flagged) return { class: "keep", rule: "flagged" };
  if (inSample(manifest.run, policy.sampleShare)) return { class: "sample", rule: "sample" };
  return { class: "short" };
}

/** The class of a run without its marks: the receipt's `floor`. A run without marks has no `floor`; its row has that class. */
export const floorOf = (
  { floor }: { readonly floor?: { class: RetentionClass; rule?: string | undefined } | undefined },
  row: { readonly class: RetentionClass; readonly rule: string | null },
): RetentionChoice =>
  floor === undefined ? choiceOf(row) : { class: floor.class, ...(floor.rule !== undefined && { rule: floor.rule }) };

const choiceOf = ({ class: kept, rule }: { class: RetentionClass; rule: string | null }): RetentionChoice => ({
  class: kept,
  ...(rule !== null && { rule }),
});

/** Which of "failed", "aborted", "suspended" and "flagged" a rule names to keep them for less than ever; null: none. */
export function undercutBy({ class: of, when }: RetentionRule): string | null {
  if (of === "keep") return null;
  const named = [...(when.status ?? []).filter((each) => KEPT_STATUSES.has(each)), ...(when.flag ? ["flagged"] : [])];
  return named.length > 0 ? named.join(", ") : null;
}

export function flagsOf(of: { readonly flags: readonly string[] }, marks: readonly Mark[]): string[] {
  return [...new Set([...of.flags, ...flagNames(marks)])];
}

/** The same answer for a run on every machine, and for every share above the one it is in at. */
function inSample(run: string, share: number): boolean {
  return hash("sha256", run, "buffer").readUIntBE(0, 6) < share * 2 ** 48;
}

type When = RetentionRule["when"];
type Asked<K extends keyof When> = NonNullable<When[K]>;

/** Whether a run fits what a rule asks, one condition after another. */
const CONDITIONS: { readonly [K in keyof Required<When>]: (asked: Asked<K>, judged: Judged, when: When) => boolean } = {
  status: (asked, { manifest }) => asked.includes(manifest.status),
  errorClass: (asked, { manifest }) => manifest.error !== null && like(asked, [manifest.error.class]),
  agent: (asked, { manifest }) => like(asked, [manifest.name]),
  service: (asked, { manifest }) => like(asked, [manifest.service.name ?? ""]),
  model: (asked, { manifest }) => like(asked, manifest.models),
  tool: (asked, { manifest }) => like(asked, manifest.tools ?? []),
  flag: (asked, { manifest, marks }) => like(asked, flagsOf(manifest, marks)),
  cost: (asked, { manifest }) => within(asked, manifest.cost?.usd ?? null),
  latencyMs: (asked, { manifest }) => within(asked, durationMs(manifest)),
  attribute: (asked, judged, when) => isDoubtful(judged, when) || attributeFits(asked, judged.run),
  score: (asked, { run, marks }) => rated(asked, [...ratingsOf(marks, "score"), ...evaluations(run)]),
  feedback: (asked, { marks }) => rated(asked, ratingsOf(marks, "feedback")),
};

function fits({ when }: RetentionRule, judged: Judged): boolean {
  const holds = <K extends keyof When>(name: K): boolean => {
    const asked = when[name];
    return asked === undefined || CONDITIONS[name](asked, judged, when);
  };
  return Object.keys(CONDITIONS).every((name) => holds(name as keyof When));
}

/** See `Judged.inDoubt`. */
function isDoubtful({ inDoubt, run }: Judged, { flag, score, feedback }: When): boolean {
  const asksMarks = flag !== undefined || score !== undefined || feedback !== undefined;
  return inDoubt === true && run === undefined && asksMarks;
}

/** null: it has not ended */
function durationMs({ started, ended }: Manifest): number | null {
  const start = BigInt(started);
  const end = endTime(start, BigInt(ended ?? 0));
  return end === null ? null : Number(end - start) / 1_000_000;
}

interface Rating {
  readonly name: string;
  readonly value: number | string | undefined;
}

function rated(asked: Asked<"score">, ratings: readonly Rating[]): boolean {
  return ratings.some(
    ({ name, value }) =>
      (!asked.name || like(asked.name, [name])) &&
      (asked.equals === undefined || asked.equals === value) &&
      ((asked.above === undefined && asked.below === undefined) ||
        within(asked, typeof value === "number" ? value : null)),
  );
}

const ratingsOf = (marks: readonly Mark[], kind: Mark["kind"]): Rating[] =>
  marks.flatMap((each) => (each.kind === kind ? [{ name: each.name, value: each.value }] : []));

/** Evaluations that were recorded as span events, by the conventions for generative AI. */
function evaluations(run: Run | undefined): Rating[] {
  return (run?.spans ?? []).flatMap(({ span }) =>
    span.events.flatMap(({ name, attributes }) => {
      if (name !== "gen_ai.evaluation.result") return [];
      const [title, value] = [attributes["gen_ai.evaluation.name"], attributes["gen_ai.evaluation.score.value"]];
      return typeof title === "string" && typeof value === "number" ? [{ name: title, value }] : [];
    }),
  );
}

function attributeFits(asked: Asked<"attribute">, run: Run | undefined): boolean {
  return (run?.spans ?? []).some(({ span }) => {
    if (!Object.hasOwn(span.attributes, asked.name)) return false;
    const value = span.attributes[asked.name];
    return (
      (asked.equals === undefined || value === asked.equals) &&
      (!asked.like || (typeof value === "string" && like(asked.like, [value]))) &&
      ((asked.above === undefined && asked.below === undefined) ||
        within(asked, typeof value === "number" ? value : null))
    );
  });
}

function within(range: { above?: number | undefined; below?: number | undefined }, value: number | null): boolean {
  if (value === null) return false;
  return (range.above === undefined || value > range.above) && (range.below === undefined || value < range.below);
}

/** Whole names; `*` is any text. No expression of a user becomes a program that can run for ever. */
function like(patterns: readonly string[], values: readonly string[]): boolean {
  return patterns.some((pattern) => values.some((value) => globFits(pattern.split("*"), value)));
}

function globFits(parts: readonly string[], value: string): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first) || value.length < first.length + last.length || !value.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= value.length - last.length;
}
