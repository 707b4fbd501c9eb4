import { Fragment } from "react";

interface MarkedRunsProps {
  readonly marked: readonly string[];
  readonly clear: () => void;
  readonly compare: () => void;
}

/** Which runs are marked, and what can be done with them. */
export function MarkedRuns({ marked, clear, compare }: MarkedRunsProps) {
  if (marked.length === 0) return null;
  const ids = marked.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && " and "}
      <code>{id.slice(0, 6)}</code>
    </Fragment>
  ));
  return (
    <section className="marked" aria-label="Marked runs">
      <p role="status">
        {marked.length === 1 ? (
          <>
            {ids} is marked: mark another run to compare it with, by <kbd>x</kbd> or its box.
          </>
        ) : (
          <>{ids} are marked.</>
        )}
      </p>
      {marked.length === 2 && (
        <button type="button" className="button primary" onClick={compare}>
          Compare
        </button>
      )}
      <button type="button" className="button" onClick={clear}>
        Clear
      </button>
    </section>
  );
}
