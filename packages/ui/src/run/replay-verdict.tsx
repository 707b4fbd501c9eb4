import type { Run } from "../api/call.ts";
import { RecordedText } from "../text/recorded-text.tsx";

const WORDS: Readonly<Record<string, readonly [sign: string, style: string, words: string]>> = {
  identical: ["✓", "ok", "identical"],
  diverged: ["✗", "failed", "diverged"],
  continued: ["✓", "ok", "continued live"],
  incomplete: ["⊘", "aborted", "incomplete"],
  "not-recorded": ["?", "aborted", "not in the record"],
};

/** Sign, style and word of a verdict, and what it says beside. */
export function verdictWords(said: string): readonly [sign: string, style: string, word: string, rest: string] {
  // "identical (3 values by place)" is identical as far as it can be told
  const [first = ""] = said.split(" ");
  const known = WORDS[first];
  return known === undefined ? ["?", "aborted", said, ""] : [...known, said.slice(first.length)];
}

/** The verdict of a replay, by sign and word. */
export function ReplayVerdict({ run: { replay } }: { run: Run }) {
  const said = replay?.verdict ?? null;
  if (said === null) return <span className="muted">no verdict</span>;
  const [sign, style, word, rest] = verdictWords(said);
  return (
    <span className={`status ${style}`}>
      <span aria-hidden="true">{sign}</span> {word}
      {rest}
    </span>
  );
}

/** The first cause for which a replay is not identical; nothing where there is none. */
export function ReplayCause({ run: { replay } }: { run: Run }) {
  if (!replay?.cause) return null;
  return (
    <span className="replay-cause">
      {replay.step !== null && `step ${replay.step}: `}
      <RecordedText>{replay.cause}</RecordedText>
    </span>
  );
}
