import { recorder, type RunContext } from "@reenact/capture/recorder";
import type { OutputFacts, RunEffects } from "@reenact/node";
import type { TextFacts } from "@reenact/redaction";
import type { Ledger } from "../verdict/ledger.ts";
import { compareDatabases } from "./compare-databases.ts";
import { compareFiles } from "./compare-files.ts";
import { compareMetadata, metadataSoFar, type ScopedMetadata } from "./compare-metadata.ts";
import {
  type ComparedLines,
  firstDifferentLine,
  firstMovedWrite,
  isSameIn,
  type LineDifference,
  WHOLE,
} from "./output.ts";
import { redactionHint, shownRedaction } from "../match/redaction-cause.ts";
import { valuesInClear } from "../match/clear-values.ts";
import { SHOWN_MARKS } from "../match/compare-marks.ts";
import { isSameContent, markedDifference } from "./same-content.ts";
import { withoutPositions } from "./stack-frames.ts";
import type { Tape, RecordedStep } from "../tape/tape.ts";
import type { Finding } from "../verdict/verdict.ts";

/** Names of recorded tokens for those of now. */
export type Translate = (token: string) => string;

/** Ends the cause of a difference that no request shows. */
export const OR_READS = "or reads something that is not recorded";
const TOO_MUCH = "of which there was too much, or which was not wholly scanned";
const STREAMS = [
  { name: "stdout", words: "standard output", finding: "output-changed" },
  { name: "stderr", words: "standard error", finding: "stderr-changed" },
] as const satisfies { name: keyof RunEffects; words: string; finding: Finding }[];

export interface EffectsNow {
  now: RunEffects;
  translate: Translate;
  /** whether the body of this tool step did not run, or ran anew because that was asked for */
  isNotCompared(step: RecordedStep): boolean;
  /** null: not known */
  metadata: ScopedMetadata | null;
  /** whether two values in their typed encoding are the same */
  isSameValue(recorded: string, now: string): boolean;
}

/** Of a run that is served from this source. */
export function effectsNow(
  session: { translate: Translate; runTools: readonly string[] },
  source: { served: ReadonlySet<number> } & Pick<EffectsNow, "isSameValue">,
  now: RunEffects,
  run: RunContext | null,
): EffectsNow {
  return {
    now,
    translate: (token) => session.translate(token),
    isNotCompared: ({ index, name }) => source.served.has(index) || session.runTools.includes(name),
    metadata: run === null ? null : metadataSoFar(run),
    isSameValue: (recorded, then) => source.isSameValue(recorded, then),
  };
}

/** Compares what the run left behind outside its steps with the record. */
export function compareEffects(ledger: Ledger, effects: EffectsNow): void {
  const { now, translate, isNotCompared, metadata, isSameValue } = effects;
  const isServed = (scope: number): boolean => isUnder(ledger.tape, scope, isNotCompared);
  for (const stream of STREAMS) {
    const recorded = ledger.tape.root[stream.name];
    const current = now[stream.name];
    if (recorded !== undefined && current !== null)
      compareStream(ledger, stream, recorded, current, { translate, isServed });
    else if (recorded !== undefined || current !== null) ledger.note(`not compared: ${stream.words}, ${TOO_MUCH}`);
  }
  const { root, lost = null, metadata: recorded } = ledger.tape;
  if (recorded !== undefined && metadata !== null)
    compareMetadata(ledger, { metadata: recorded, scopes: root.said }, metadata, { isServed, isSame: isSameValue });
  if (lost !== null) return;
  if (root.files !== undefined && now.files !== null)
    compareFiles(ledger, root.files, now.files, { translate, isServed });
  if (root.databases !== undefined && now.databases !== null)
    compareDatabases(ledger, root.databases, now.databases, isServed);
}

/** What was printed outside of tools, what each tool printed, and between which answers. */
function compareStream(
  ledger: Ledger,
  stream: (typeof STREAMS)[number],
  recorded: OutputFacts,
  now: OutputFacts,
  { translate, isServed }: { translate: Translate; isServed: (scope: number) => boolean },
): void {
  compareText(ledger, stream, recorded, now, translate);
  for (const scope of Object.keys({ ...recorded.tools, ...now.tools })) {
    if (isServed(Number(scope))) continue;
    const name = ledger.tape.steps.get(Number(scope))?.name ?? "a tool";
    const of = { ...stream, words: `${stream.words} of ${name}` };
    compareText(ledger, of, recorded.tools?.[scope] ?? NOTHING, now.tools?.[scope] ?? NOTHING, translate);
  }
  comparePlaces(ledger, stream, recorded, now, isServed);
}

const MARKED = { number: "a redacted number", spelling: "the spelling of a redacted value" } as const;
const NOTHING: TextFacts = { sha256: "", bytes: 0, lines: [] };

function compareText(
  ledger: Ledger,
  { words, finding }: { words: string; finding: Finding },
  recorded: TextFacts,
  now: TextFacts,
  translate: Translate,
): void {
  if ((recorded.bytes === 0 && now.bytes === 0) || isSameContent(ledger, recorded, now)) return;
  const plain = withoutFolders(ledger.tape);
  if (isSameIn(recorded, now, translate, plain))
    return ledger.noted(`${words} differs only in positions or folders of printed stack traces`);
  const clear = clearValues(translate);
  if (isSameIn(recorded, now, translate, { ...plain, isSame: clear.isSame }))
    return ledger.note(
      `${words} shows ${clear.count === 1 ? "a value" : `${clear.count} values`} that the recording has in clear and a replay as a token: compared by token`,
    );
  ledger.findings.add(finding);
  const first = firstDifference(recorded, now, translate, clear);
  const where = first === null ? "" : ` in line ${first.line}`;
  const marked = first === null && recorded.sha256 === now.sha256 ? markedDifference(recorded, now) : null;
  const shown =
    marked !== null
      ? SHOWN_MARKS[marked]
      : first === null || (first.recorded === undefined && first.now === undefined)
        ? { recorded: sizeOf(recorded), now: sizeOf(now) }
        : { recorded: shownLine(first.recorded), now: shownLine(first.now) };
  const what = `${words} differs${marked === null ? where : ` in ${MARKED[marked]}`} though every call was served`;
  ledger.diverged(
    null,
    null,
    finding,
    { pointer: "", ...shown },
    `${what}: ${whyOther(shown, ledger.tape, translate)}`,
  );
}

function whyOther(shown: { recorded: unknown; now: unknown }, tape: Tape, translate: Translate): string {
  const redaction = shownRedaction(shown, tape, translate);
  return redaction ?? `the code prints something else now, ${OR_READS}${redactionHint(tape)}`;
}

/** The first line that differs in more than values which only the record has in clear; where that cannot be told, the first one. */
function firstDifference(
  recorded: TextFacts,
  now: TextFacts,
  translate: Translate,
  { isSame }: Required<Pick<ComparedLines, "isSame">>,
): LineDifference | null {
  const lines = { ...WHOLE, isSame };
  for (const options of [{ lines }, { byValue: true, lines }, {}, { byValue: true }]) {
    const found = firstDifferentLine(recorded, now, translate, options);
    if (found !== null) return found;
  }
  return null;
}

/** Compares tokens of now with values that the record has in clear, and counts those that are equal. */
function clearValues(translate: Translate): { count: number; isSame(recorded: string, now: string): boolean } {
  const { scrubber } = recorder;
  const isValue = (token: string, type: string, value: string): boolean => scrubber?.tokenOf?.(type, value) === token;
  const clear = {
    count: 0,
    isSame(recorded: string, now: string): boolean {
      const found = valuesInClear(recorded, now, { translate, isValue });
      clear.count += found ?? 0;
      return found !== null;
    },
  };
  return clear;
}

function withoutFolders({ root }: Tape): ComparedLines {
  const then = root.process?.cwd ?? "";
  const here = process.cwd();
  return { recorded: (line) => withoutPositions(line, then), now: (line) => withoutPositions(line, here) };
}

/** Null: there is no such line. */
const shownLine = (line: string | null | undefined): unknown => (line === undefined ? "(its text was not kept)" : line);

const sizeOf = ({ sha256, bytes }: TextFacts): { sha256: string; bytes: number } => ({ sha256, bytes });

/** Equal outputs may still be written before another answer than when they were recorded: a call is no longer awaited. */
function comparePlaces(
  ledger: Ledger,
  { words, finding }: { words: string; finding: Finding },
  recorded: OutputFacts,
  now: OutputFacts,
  isServed: (scope: number) => boolean,
): void {
  if (ledger.divergence !== null || recorded.sha256 !== now.sha256) return;
  const moved = firstMovedWrite(recorded, now);
  if (moved === null) return;
  const why = notOrdered(ledger, isServed);
  if (why !== null) return ledger.note(`not compared: between which answers ${words} was written, since ${why}`);
  const settles = ledger.tape.journal.filter((e) => (e.k === "h" || e.k === "e") && e.scope === -1);
  const event = settles[Math.min(moved.recorded, moved.now)];
  const index = event !== undefined && (event.k === "h" || event.k === "e") ? event.id : null;
  const text = now.lines[moved.line - 1];
  const what =
    text === undefined ? `line ${moved.line} of ${words}` : `\`${text.slice(0, 80)}\` (line ${moved.line} of ${words})`;
  const answer = index === null ? "the last answer" : `the answer of step ${index + 1}`;
  const [here, then] = moved.now < moved.recorded ? ["before", "after it"] : ["after", "before it"];
  ledger.findings.add(finding);
  ledger.diverged(
    index === null ? null : index + 1,
    null,
    finding,
    { pointer: "", recorded: `${then.replace(" it", "")} ${answer}`, now: `${here} ${answer}` },
    `${what} was written ${here} ${answer} was delivered; when recorded, ${then}`,
  );
}

/**
 * Why a place cannot be compared; null: everything that wakes the agent outside served bodies was recorded in order. What
 * a served body did has not happened here, and the recorded agent saw its result alone.
 */
function notOrdered(
  { tape, findings, live, edited, compared }: Ledger,
  isServed: (scope: number) => boolean,
): string | null {
  if (compared.hasPassedOver) return "steps before the compared ones differ";
  if (live > 0 || edited > 0) return "a step ran live";
  if (tape.root.wakeUpsWatched !== true) return "the recording does not say what else woke the program";
  const waking = (tape.root.leaks ?? []).find((leak) => WAKING[leak.kind] !== undefined && !isServed(leak.scope));
  if (waking !== undefined) return `${WAKING[waking.kind]} (${waking.target}) may wake the program at any time`;
  return findings.has("early-wake") ? "a message or pipe woke the program earlier than recorded" : null;
}

/** What wakes a program in an order that is in no record. Files are read and written in the recorded order. */
const WAKING: Readonly<Record<string, string>> = {
  worker: "a worker thread",
  child: "a child process",
  addon: "a native addon",
  socket: "a connection",
  dns: "a look-up",
  udp: "a datagram",
  stdin: "standard input",
};

/** Whether this holds of the step with this number, or of one that it ran in. */
function isUnder(tape: Tape, scope: number, holds: (step: RecordedStep) => boolean): boolean {
  for (let step = tape.steps.get(scope); step !== undefined; step = tape.steps.get(step.record.under ?? -1))
    if (holds(step)) return true;
  return false;
}
