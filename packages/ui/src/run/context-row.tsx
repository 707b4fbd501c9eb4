import { diffWordsWithSpace } from "diff";
import type { ContextText } from "../api/call.ts";
import { number, pretty } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { StepLink } from "./step-link.tsx";

export const MARKS = {
  kept: ["=", "as before"],
  added: ["+", "new"],
  removed: ["−", "removed"],
  changed: ["~", "changed"],
} as const;
/** Changes of words above which the two texts stand below one another. */
const MOST_EDITS = 400;
/** Characters of an unchanged stretch that stay around a change. */
const AROUND = 120;

interface ContextRowProps {
  readonly text: ContextText;
  /** characters of the whole request, and its tokens */
  readonly whole: number;
  readonly tokens: number | null;
  /** nothing came before: all is new, which need not be said */
  readonly isFirst: boolean;
}

/** One text that a model read. What it had read before is folded. */
export function ContextRow({ text, whole, tokens, isFirst }: ContextRowProps) {
  const { status, kind, name, step, is } = text;
  const [mark, word] = MARKS[status];
  const isOpen = status === "changed" || (status === "added" && kind !== "tool definition" && !isFirst);
  const share = status === "removed" || whole === 0 ? null : is.length / whole;
  return (
    <li className={`context-text ${isFirst ? "first" : status}`}>
      <details open={isOpen}>
        <summary>
          {!isFirst && (
            <>
              <span className="mark" aria-hidden="true">
                {mark}
              </span>
              <span className="sr-only">{word}: </span>
            </>
          )}
          <span className="context-kind">{kind}</span>
          {name !== "" && (
            <code>
              <RecordedText>{name}</RecordedText>
            </code>
          )}
          <span className="context-line">
            <RecordedText>{is.text.slice(0, 200)}</RecordedText>
          </span>
          <span className="context-size">
            {share !== null && tokens !== null && (
              <span title="the provider's count, shared out by length">
                ≈ {number(Math.round(share * tokens))} tokens
              </span>
            )}
            {share !== null && <span>{percent(share)}</span>}
          </span>
        </summary>
        <pre tabIndex={0} aria-label={`${kind} ${name}`.trim()}>
          {text.was === null ? <Stretch of={is} /> : <Changes was={text.was} is={is} />}
        </pre>
        <p className="muted">
          {number(is.length)} characters
          {step !== null && (
            <>
              {" · "}
              <StepLink step={step} words={kind === "result" ? "result of step " : "from step "} />
            </>
          )}
        </p>
      </details>
    </li>
  );
}

const percent = (share: number): string => (share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`);

function Stretch({ of: { text, from, length } }: { of: ContextText["is"] }) {
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
function Changes({ was, is }: { was: ContextText["is"]; is: ContextText["is"] }) {
  const parts = diffWordsWithSpace(was.text, is.text, { maxEditLength: MOST_EDITS }) ?? [
    { removed: true, added: false, value: was.text },
    { removed: false, added: true, value: is.text },
  ];
  const after = is.length - is.from - is.text.length;
  return (
    <>
      {is.from > 0 && <span className="rest">{number(is.from)} characters before … </span>}
      {parts.map(({ added, removed, value }, at) => {
        if (added)
          return (
            <ins key={at} aria-label="added">
              <RecordedText>{value}</RecordedText>
            </ins>
          );
        if (removed)
          return (
            <del key={at} aria-label="removed">
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
