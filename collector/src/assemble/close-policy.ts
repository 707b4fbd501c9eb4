/** Facts of an open run that the policy uses. Times are milliseconds of one clock. */
export interface RunFacts {
  /** when its first and its newest span came */
  readonly first: number;
  readonly last: number;
  /** the root has come, and says when it ended */
  readonly rootEnded: boolean;
  /** the root says how many steps there were, and all of them are here */
  readonly complete: boolean;
  /** a span above the root is known of and is not here: spans of the same trace, made by others, may follow */
  readonly awaitsContext: boolean;
  /** no span is here whose parent is missing */
  readonly connected: boolean;
  /** it is the oldest in a journal that has grown too long */
  readonly pressed: boolean;
}

export interface CloseLimits {
  /** quiet time after the root ended and all parents are there */
  readonly settleMs: number;
  readonly idleMs: number;
  readonly ageMs: number;
}

export const CLOSE_LIMITS: CloseLimits = { settleMs: 5_000, idleMs: 600_000, ageMs: 86_400_000 };

/** `pressed`: the journal would grow without end. A run that was sealed while open is sealed again when more comes. */
export type CloseReason = "complete" | "ended" | "idle" | "age" | "pressed";

/** Seal now, or look again at a time (unless a span comes before). */
export type CloseDecision = { readonly seal: CloseReason } | { readonly look: number };

/**
 * When a run is sealed. Without new spans every run is sealed in the end, and a `look` is always in the future. The graph
 * counts only once a run has been quiet for `settleMs`: before that `connected` may be false for any run.
 */
export function decideClose(run: RunFacts, now: number, limits: CloseLimits): CloseDecision {
  const [settled, idle, old] = [run.last + limits.settleMs, run.last + limits.idleMs, run.first + limits.ageMs];
  if (run.complete && !run.awaitsContext) return { seal: "complete" };
  const hasEnded = run.complete || run.rootEnded;
  if (hasEnded && now < settled && now < old)
    return run.pressed ? { seal: "pressed" } : { look: Math.min(settled, old) };
  const reason = hasEnded && now >= settled ? endReason(run) : null;
  if (reason !== null) return { seal: reason };
  if (now >= idle) return { seal: "idle" };
  if (now >= old) return { seal: "age" };
  if (run.pressed) return { seal: "pressed" };
  return { look: Math.min(idle, old) };
}

/** Why a run is sealed of which nothing has come for the settling time; null: its end has not shown yet. */
function endReason({ complete, rootEnded, connected }: RunFacts): "complete" | "ended" | null {
  if (complete) return "complete";
  return rootEnded && connected ? "ended" : null;
}

/** The text in the manifest of a run that was closed for this reason; null: its spans tell already. */
export function reasonText(reason: CloseReason, limits: CloseLimits): string | null {
  switch (reason) {
    case "complete":
    case "ended":
    case "idle":
      return null;
    case "age":
      return `sealed after ${limits.ageMs / 3_600_000} h, while it was still open`;
    case "pressed":
      return "sealed while it was still open: the journal had grown too long";
  }
}
