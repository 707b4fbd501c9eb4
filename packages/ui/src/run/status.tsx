const WORDS: Readonly<Record<string, readonly [sign: string, word: string]>> = {
  ok: ["✓", "ok"],
  failed: ["✗", "failed"],
  aborted: ["⊘", "cut off"],
  suspended: ["‖", "suspended"],
  open: ["●", "running"],
};

/** The state of a run or a step, by sign and word, not by colour alone. */
export function Status({ status, short = false }: { status: string; short?: boolean }) {
  const [sign, word] = WORDS[status] ?? ["?", status];
  return (
    <span className={`status ${status}`} title={short ? word : undefined}>
      <span aria-hidden="true">{sign}</span> <span className={short ? "sr-only" : undefined}>{word}</span>
    </span>
  );
}
