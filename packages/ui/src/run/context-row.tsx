import type { ContextText } from "../api/call.ts";
import { ChangedText, TextStretch } from "../text/changed-text.tsx";
import { number } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";
import { StepLink } from "./step-link.tsx";

export const MARKS = {
  kept: ["=", "as before"],
  added: ["+", "new"],
  removed: ["−", "removed"],
  changed: ["~", "changed"],
} as const;
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
          {text.was === null ? <TextStretch of={is} /> : <ChangedText was={text.was} is={is} />}
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
