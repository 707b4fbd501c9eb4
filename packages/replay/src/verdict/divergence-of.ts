import type { Blame } from "../match/blame.ts";
import type { Divergence } from "./verdict.ts";

/** A divergence with what led to it. `upstream`: what a body did otherwise before it, in words; `isRecorded`: the record has its step. */
export function divergenceOf(
  { step, slot, verdict, cause }: Pick<Divergence, "step" | "slot" | "verdict" | "cause">,
  difference: Blame | null,
  { runId, upstream, isRecorded }: { runId: string; upstream: string | undefined; isRecorded: boolean },
): Divergence {
  return {
    step,
    slot,
    verdict,
    cause: upstream === undefined ? cause : `${cause}, because ${upstream}`,
    of: difference?.of ?? null,
    pointer: difference?.pointer ?? null,
    recorded: difference?.recorded ?? null,
    now: difference?.now ?? null,
    others: difference?.others ?? [],
    next: step === null || !isRecorded ? `reenact show ${runId}` : `reenact show ${runId} --step ${step}`,
  };
}
