import { Link } from "@tanstack/react-router";
import { usePlace } from "../api/use-place.ts";
import { CopyLine } from "../setup/copy-line.tsx";

interface NextStepsProps {
  readonly run: string;
  readonly isOpen: boolean;
  readonly toggle: (isOpen: boolean) => void;
}

/** What one does with a run next: replay it, and make a test of it. */
export function NextSteps({ run, isOpen, toggle }: NextStepsProps) {
  const place = usePlace(isOpen);
  return (
    <>
      <Link to="/r/$run/replay" params={{ run }} className="button primary">
        Replay …
      </Link>
      <details className="next-test" open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
        <summary className="button">Make a test of it</summary>
        <div>
          <p className="muted">
            Writes the record, what is expected, and a test file into <code>test/runs</code>. If the program is not
            found, its command comes behind <code>--</code>.
          </p>
          {place !== null && (
            <CopyLine what="that makes a test of this run">{`npx reenact test add ${run.slice(0, 12)}${place}`}</CopyLine>
          )}
        </div>
      </details>
    </>
  );
}
