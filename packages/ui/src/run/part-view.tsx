import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addressOf, type Part, partBegin } from "../api/call.ts";
import { offline } from "../api/offline.ts";
import { bytes, pretty } from "../text/format.ts";
import { RecordedText } from "../text/recorded-text.tsx";

/** Bytes of a value that are shown; the whole value can be opened. */
const SHOWN = 64 * 1024;

/** One recorded value. It is read when it is opened. */
export function PartView({ run, step, part }: { run: string; step: string; part: Part }) {
  const [open, setOpen] = useState(part.name === "request" || part.name === "response");
  const path = { run, step, digest: part.digest };
  const isText = /^(text\/|application\/json)/.test(part.type);
  const { data, error } = useQuery({
    queryKey: ["part", path],
    queryFn: ({ signal }) => partBegin(path, SHOWN, signal),
    enabled: open && isText,
    staleTime: Infinity,
  });
  return (
    <details className="part" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{part.name}</code>{" "}
        <span className="muted">
          {bytes(part.bytes)} · {part.type.replace("; charset=utf-8", "")} · <code>{part.digest.slice(0, 12)}</code>
        </span>
      </summary>
      {open && (
        <div className="part-body">
          {error && <p className="problem">{error.message}</p>}
          {isText && data && (
            <pre tabIndex={0} aria-label={part.name}>
              <RecordedText>{shownText(data, part.bytes)}</RecordedText>
            </pre>
          )}
          <p className="muted">
            {isText && part.bytes > SHOWN && `The first ${bytes(SHOWN)} of it. `}
            {offline === null ? (
              <a href={addressOf("getPart", { path }).href} target="_blank" rel="noopener">
                {isText ? "Open all of it" : "Save it"}
              </a>
            ) : (
              !isText && "Only texts are shown without a collector: its bytes are in the .reenact file."
            )}
          </p>
        </div>
      )}
    </details>
  );
}

function shownText(value: Uint8Array, whole: number): string {
  const text = new TextDecoder().decode(value);
  return value.length < whole ? text : pretty(text);
}
