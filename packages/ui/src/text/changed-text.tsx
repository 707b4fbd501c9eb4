import type { Stretch } from "../api/call.ts";
import { number, pretty } from "./format.ts";
import { RecordedText } from "./recorded-text.tsx";
import { wordChanges } from "./word-changes.ts";

/** Characters of an unchanged stretch that stay around a change. */
const AROUND = 120;

/** A part of a text, and how much of it lies before and behind. */
export function TextStretch({ of: { text, from, length } }: { of: Stretch }) {
  const after = length - from - text.length;
  return (
    <>
      {from > 0 && <span className="rest">{number(from)} characters before … </span>}
      <RecordedText>{from === 0 && after === 0 ? pretty(text) : text}</RecordedText>
      {after > 0 && <span className="rest"> … {number(after)} more characters</span>}
    </>
  );
}

/** How a text changed, word by word; two texts with little in common stand below one another. */
export function ChangedText({ was, is }: { was: Stretch; is: Stretch }) {
  const parts = wordChanges(was.text, is.text);
  const after = is.length - is.from - is.text.length;
  return (
    <>
      {is.from > 0 && <span className="rest">{number(is.from)} characters before … </span>}
      {parts.map(({ added, removed, value }, at) => {
        if (added)
          return (
            <ins key={at}>
              <RecordedText>{value}</RecordedText>
            </ins>
          );
        if (removed)
          return (
            <del key={at}>
              <RecordedText>{value}</RecordedText>
            </del>
          );
        return <RecordedText key={at}>{shortened(value, at === 0, at === parts.length - 1)}</RecordedText>;
      })}
      {after > 0 && <span className="rest"> … {number(after)} more characters</span>}
    </>
  );
}

function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 3 * AROUND) return text;
  return `${isFirst ? "" : text.slice(0, AROUND)} … ${isLast ? "" : text.slice(-AROUND)}`;
}

interface ChangedValueProps {
  /** null: there was nothing */
  readonly recorded: string | null;
  readonly now: string | null;
  /** of what, in the name for screen readers */
  readonly of?: string;
}

/** Both values where a replay leaves its record, word by word. */
export function ChangedValue({ recorded, now, of = "" }: ChangedValueProps) {
  if (recorded === null && now === null) return null;
  const stretch = (text: string) => ({ text, from: 0, length: text.length });
  return (
    <pre tabIndex={0} aria-label={`What changed${of}: recorded, then now`}>
      <ChangedText was={stretch(recorded ?? "nothing")} is={stretch(now ?? "nothing")} />
    </pre>
  );
}
