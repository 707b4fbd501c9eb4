import { useEffect, useRef, useState } from "react";

interface ValueEditorProps {
  readonly label: string;
  readonly recorded: string;
  /** the text at first */
  readonly text: string;
  readonly changed: (text: string) => void;
}

/** The editor, which comes when it is needed: it is a third of all scripts. */
export function ValueEditor({ label, recorded, text, changed }: ValueEditorProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isThere, setThere] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  // what it begins with does not change while it is open
  const first = useRef({ label, recorded, text, changed });
  useEffect(() => {
    let close: (() => void) | null = null;
    let isGone = false;
    import("./open-editor.ts").then(
      ({ openEditor }) => {
        if (isGone) return;
        close = openEditor(host.current!, first.current);
        setThere(true);
      },
      (error: unknown) => setProblem(`the editor cannot be loaded: ${String(error)}`),
    );
    return () => {
      isGone = true;
      close?.();
    };
  }, []);
  return (
    <>
      {problem !== null && <p className="problem">{problem}</p>}
      {problem === null && !isThere && <p className="muted">Loading the editor …</p>}
      <div ref={host} className={isThere ? "value-editor" : undefined} data-typing />
    </>
  );
}
