import type { Run } from "../api/call.ts";
import { CopyLine } from "../setup/copy-line.tsx";

interface NextStepsProps {
  readonly run: Run;
  readonly isOpen: boolean;
  readonly toggle: (isOpen: boolean) => void;
}

/** What one does with a run next, as lines for a terminal: a test of it, and a replay. */
export function NextSteps({ run: { run }, isOpen, toggle }: NextStepsProps) {
  return (
    <details className="next-steps" open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>Make a test of it</summary>
      <div>
        <p className="muted">
          Writes the record, what is expected, and a test file into <code>test/runs</code>. Give the command of the
          program behind <code>--</code> if it is not found.
        </p>
        <CopyLine what="that makes a test of this run">{`npx reenact test add ${run.slice(0, 12)}`}</CopyLine>
        <p className="muted">Run the code of now against this record, without a key and without network:</p>
        <CopyLine what="that replays this run">{`npx reenact replay ${run.slice(0, 12)} -- node agent.js`}</CopyLine>
      </div>
    </details>
  );
}
