import { useState } from "react";

/** A line for a terminal, with a button that copies it. `what`: it is for, in the name of the button. */
export function CopyLine({ what, children }: { what: string; children: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(children);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      // a page that is served without TLS from another machine has no clipboard: the line can be selected
    }
  };
  return (
    <div className="copy-line">
      <pre tabIndex={0} aria-label={`Line ${what}`}>
        {children}
      </pre>
      {navigator.clipboard && (
        <button type="button" className="button" onClick={() => void copy()} aria-label={`Copy the line ${what}`}>
          {copied ? "Copied" : "Copy"}
        </button>
      )}
      <span className="sr-only" role="status">
        {copied ? "Copied" : ""}
      </span>
    </div>
  );
}
