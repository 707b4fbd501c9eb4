interface MarkedRunsProps {
  readonly marked: readonly string[];
  readonly clear: () => void;
  readonly compare: () => void;
}

/** Which runs are marked, and what can be done with them. */
export function MarkedRuns({ marked, clear, compare }: MarkedRunsProps) {
  if (marked.length === 0) return null;
  const ids = marked.map((id) => id.slice(0, 6)).join(" and ");
  return (
    <section className="marked" aria-label="Marked runs">
      <p role="status">
        {marked.length === 1 ? (
          <>
            <code>{ids}</code> is marked: mark another run to compare it with, by <kbd>x</kbd> or its box.
          </>
        ) : (
          <>
            <code>{ids}</code> are marked.
          </>
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
