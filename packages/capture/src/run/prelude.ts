import type { Step } from "../span/step.ts";

/** Values and events of the journal that are kept of a run before its first agentic step, in bytes. */
export const PRELUDE_JOURNAL_BYTES = 1024 * 1024;
/** Steps kept of it, with their bodies: an agent may well read documents before it asks a model. */
export const PRELUDE_STEP_BYTES = 8 * 1024 * 1024;
/** What a step without a body takes. */
const BARE_STEP_BYTES = 1024;

/** Counts what a run holds in memory while it is not known whether it will be written at all. */
export class Prelude {
  readonly #onFull: (what: string) => void;
  #left = PRELUDE_STEP_BYTES;

  constructor(onFull: (what: string) => void) {
    this.#onFull = onFull;
  }

  opened(step: Step): void {
    const { exchange, call } = step;
    this.take(BARE_STEP_BYTES + (exchange?.requestBody?.length ?? 0) + (call?.args.length ?? 0));
  }

  /** What came of it beside the chunks of its body, which are counted as they come. */
  ended({ exchange, call }: Step): void {
    if (exchange !== null)
      this.take(
        (exchange.requestBody?.length ?? 0) +
          lengthOf(exchange.requestHeaders) +
          lengthOf(exchange.response?.headers ?? []),
      );
    if (call === null) return;
    const yields = (call.yields ?? []).reduce((sum, each) => sum + each.length, 0);
    this.take(call.args.length + (call.result?.length ?? 0) + (call.error?.length ?? 0) + yields);
  }

  take(bytes: number): void {
    const had = this.#left;
    this.#left -= bytes;
    if (had >= 0 && this.#left < 0)
      this.#onFull(`more than ${PRELUDE_STEP_BYTES / 1024 / 1024} MiB of HTTP exchanges and step() calls`);
  }
}

function lengthOf(headers: ReadonlyArray<readonly [string, string]>): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** Drops a step of a run that records nothing. */
export function leave(step: Step): void {
  step.state = "ended";
  const { exchange } = step;
  if (exchange === null) return;
  exchange.chunks.length = 0;
  exchange.cuts.length = 0;
}
