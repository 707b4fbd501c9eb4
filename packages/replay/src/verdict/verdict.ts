/** What replay says of one call. */
export type CallVerdict =
  | "exact"
  | "equivalent"
  | "warm"
  | "params"
  | "system"
  | "history"
  | "changed"
  | "missing"
  | "extra"
  | "reordered"
  | "wrong-tool"
  | "exhausted"
  | "covered"
  | "live";

/** What replay says of a run as a whole, besides its calls. */
export type Finding =
  | "source-changed"
  | "environment-changed"
  | "model-drift"
  | "tools-unrecorded"
  | "truncated-recording"
  | "leak"
  | "early-wake"
  | "output-changed"
  | "stderr-changed"
  | "files-changed"
  | "database-changed"
  | "exit-code-changed"
  | "metadata-changed"
  | "unfinished"
  | "delay-changed"
  | "node-changed"
  | "ambiguous"
  | "rules-changed"
  | "noted-difference"
  | "no-substance"
  | "run-not-judged";

export interface Divergence {
  /** number of the step, from 1 by start; null where the run as a whole differs */
  step: number | null;
  slot: string | null;
  /**
   * a verdict of a call or a finding of the run; `order`: a delivery came that the record does not hold at this place;
   * `unfinished`: the recorded run waited for a delivery (an answer, a body, a timer, an operation) and this run does not; `delay-changed`: a timer or
   * time-out is set to another delay, or only in one of the runs
   */
  verdict: string;
  cause: string;
  /** what the pointer is of; null: the body, or the arguments */
  of: "URL" | "method" | "header" | "redirect" | "option" | null;
  /** JSON pointer into the request, where one value is to blame */
  pointer: string | null;
  recorded: unknown;
  now: unknown;
  /** what else differs in this call */
  others: { of: Divergence["of"]; pointer: string; recorded: unknown; now: unknown }[];
  next: string;
  /** where a process has several runs: id of the recorded one that differs (null: it has none), and its name */
  run?: string | null;
  runName?: string;
}

/** Whether a call was served what its agent asked for. A new verdict does not compile until it is placed here. */
export function isFaithful(verdict: CallVerdict): boolean {
  switch (verdict) {
    case "exact":
    case "equivalent":
    case "warm":
    case "covered":
    case "live":
      return true;
    case "params":
    case "system":
    case "history":
    case "changed":
    case "missing":
    case "extra":
    case "reordered":
    case "wrong-tool":
    case "exhausted":
      return false;
  }
}
