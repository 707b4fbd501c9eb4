import { safe } from "@reenact/view/text";
import type { ReactNode } from "react";

/** What stands for a redacted value, see `findTokens` of the envelope package. */
const TOKEN = /([A-Z][A-Z_]{0,31})_[a-z]{4}_[a-z]{16}|UNSCANNED_[0-9]+/g;

/**
 * Text that a model, a tool or a person wrote, as text: no markup, no escapes, no marks that turn its direction. Tokens of
 * redacted values are shown by their type; equal values have equal letters.
 */
export function RecordedText({ children }: { children: string }): ReactNode {
  const text = safe(children);
  const shown: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    shown.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    shown.push(
      <span key={match.index} className="token" title={`redacted: ${match[0]}`}>
        {match[1] ?? "NOT SCANNED"}·{match[0].slice(-3)}
      </span>,
    );
  }
  shown.push(text.slice(from));
  return <bdi>{shown}</bdi>;
}
