import type { ScannedSpan } from "@reenact/envelope";
import type { Clock } from "./clock.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { ForwardCounts } from "./forward-counts.ts";
import type { CallTable } from "./run-calls.ts";
import { forPeople } from "./for-people.ts";
import type { ModelPrices } from "@reenact/envelope/schema";
import type { PostTraces } from "./post-otlp.ts";
import { halves, type Outcome, requestOf, type View, viewTraces } from "@reenact/envelope/transfer";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
/** A batch with something in it that the destination refuses is halved until that is alone, with so many requests. */
const SEARCHES = 64;

export interface DeliverDeps {
  readonly post: PostTraces;
  readonly view: View;
  /** what the destination's policy replaces is taken out; rejects where that cannot be done. null: it has no policy */
  readonly redact: ((body: Uint8Array) => Promise<Uint8Array>) | null;
  readonly clock: Clock;
  readonly letters: DeadLetters;
  readonly counts: ForwardCounts;
  /** null: costs are not known */
  readonly prices: ModelPrices | null;
  /** what has passed of the runs whose roots are still to come */
  readonly calls: CallTable;
  readonly maxBytes: number;
  /** from 0 to 1, for the scatter of waiting times */
  readonly random: () => number;
  /** told of each failed attempt */
  failed(outcome: Outcome, attempt: number): void;
  /** told of spans that were not sent, since they could not be made ready */
  unsent(why: string): void;
  /** why trying is not worth the time now; null: it is */
  hopeless(): string | null;
}

/**
 * Brings spans to a destination: tried again while that can help and `giveUp` is false, split where it was too large,
 * put among the dead letters where nothing helps. False: the signal aborted before the end, some may have arrived.
 */
export async function deliver(
  spans: readonly ScannedSpan[],
  deps: DeliverDeps,
  giveUp: () => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const queue: (readonly ScannedSpan[])[] = spans.length > 0 ? [forPeople(spans, deps.prices, deps.calls)] : [];
  let searches = SEARCHES;
  for (let part = queue.pop(); part; part = queue.pop()) {
    const parts = halves(part);
    if (parts && sizeOf(part) > deps.maxBytes) {
      queue.push(parts[1], parts[0]);
      continue;
    }
    const body = await ready(part, deps);
    if (signal.aborted) return false;
    if (body instanceof Error) {
      if (parts) queue.push(parts[1], parts[0]);
      else {
        deps.unsent(body.message);
        await bury(requestOf(part), 1, body.message, deps);
      }
      continue;
    }
    const outcome = await attempt(body, deps, giveUp, signal);
    if (outcome === null) return false;
    if (outcome.is === "accepted") {
      deps.counts.sent += part.length - outcome.rejected;
      deps.counts.rejected += outcome.rejected;
    } else if (parts && (outcome.is === "too-large" || (outcome.is === "refused" && searches-- > 0))) {
      queue.push(parts[1], parts[0]);
    } else {
      await bury(body, part.length, outcome.why, deps);
    }
  }
  return true;
}

/** An error for spans that cannot be read or redacted: one of them must not hold up all others, and none is sent. */
async function ready(spans: readonly ScannedSpan[], { view, redact }: DeliverDeps): Promise<Uint8Array | Error> {
  let what = "read";
  try {
    const body = viewTraces(requestOf(spans), view);
    what = "redacted";
    return redact === null ? body : await redact(body);
  } catch (error) {
    return new Error(`cannot be ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const sizeOf = (spans: readonly ScannedSpan[]) => spans.reduce((sum, { span }) => sum + span.length, 0);

/** The last outcome of one request; "later" once it was given up; null when the signal aborted. */
async function attempt(
  body: Uint8Array,
  deps: DeliverDeps,
  giveUp: () => boolean,
  signal: AbortSignal,
): Promise<Outcome | null> {
  for (let tried = 1; ; tried++) {
    if (signal.aborted) return null;
    const hopeless = deps.hopeless();
    if (hopeless !== null) return { is: "later", why: hopeless, after: null };
    const outcome = await deps.post(body, signal);
    if (signal.aborted && outcome.is !== "accepted") return null;
    if (outcome.is !== "accepted") deps.failed(outcome, tried);
    if (outcome.is !== "later") return outcome;
    if (outcome.tries !== undefined && tried >= outcome.tries) return { is: "refused", why: outcome.why };
    if (giveUp()) return outcome;
    deps.counts.retries++;
    const backoff = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(tried - 1, 10));
    const wait = outcome.after ?? backoff * (0.8 + deps.random() * 0.4);
    if (!(await waited(wait, deps.clock, giveUp, signal))) return signal.aborted ? null : outcome;
  }
}

/** False: given up, or aborted, before the time was over. A destination may ask for longer than there is to wait. */
async function waited(ms: number, clock: Clock, giveUp: () => boolean, signal: AbortSignal): Promise<boolean> {
  for (let left = ms; left > 0; left -= LONGEST_WAIT) {
    await clock.sleep(Math.min(left, LONGEST_WAIT), signal);
    if (signal.aborted) return false;
    if (left > LONGEST_WAIT && giveUp()) return false;
  }
  return true;
}

async function bury(body: Uint8Array, spans: number, reason: string, deps: DeliverDeps): Promise<void> {
  if (await deps.letters.add({ body, spans, reason, at: deps.clock.now() })) deps.counts.deadLettered += spans;
  else deps.counts.dropped += spans;
}
