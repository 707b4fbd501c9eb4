import type { ScannedSpan } from "@reenact/envelope";
import { halves, type Outcome, requestOf, viewOf, viewTraces } from "@reenact/envelope/transfer";
import { isCollector } from "../spool/target.ts";
import type { Destination } from "./destination.ts";
import { type Exchange, openExchange } from "./exchange.ts";
import { keyTrouble, shakeHands } from "./handshake.ts";

/** Why a destination takes nothing now. */
export interface Trouble {
  readonly why: string;
  /** `setting`: it answers, and refuses everything until a setting is changed */
  readonly kind: "away" | "busy" | "key" | "stranger" | "setting";
  /** milliseconds to wait for, where it said so */
  readonly after: number | null;
}

/** One destination: identifies the server, then sends. Not for use by two callers at once. */
export interface Link {
  readonly destination: Destination;
  /** Spans that it will never take, and the last reason it gave. */
  readonly refused: { spans: number; why: string };
  /** Whether anything may be sent now; null: yes. */
  ready(signal: AbortSignal): Promise<Trouble | null>;
  /** Null: it has all of these but what it will never take. */
  send(spans: readonly ScannedSpan[], signal: AbortSignal): Promise<Trouble | null>;
  close(): void;
}

/** A batch with something in it that is refused is halved until that is alone, with so many requests. */
const SEARCHES = 64;
/** inflated, of one request */
const MOST_BYTES = 4 * 1024 * 1024;
const AFTER_OURS = 60_000;

/** `store`: where the redaction key lies, for a destination with a policy of its own. */
export function openLink(destination: Destination, store: string): Link {
  const { target } = destination;
  let redact: ((body: Uint8Array) => Uint8Array) | null = null;
  const view = target.view === "record" ? null : viewOf({ view: target.view, bytesAsText: true });
  const refused = { spans: 0, why: "" };
  let exchange: Exchange | null = null;
  let known = !isCollector(target);
  let most = MOST_BYTES;

  async function ready(signal: AbortSignal): Promise<Trouble | null> {
    try {
      if (target.redaction !== undefined) redact ??= await redactionFor(destination, store);
      exchange ??= openExchange(destination);
    } catch (error) {
      return { kind: "setting", why: error instanceof Error ? error.message : String(error), after: AFTER_OURS };
    }
    if (known) return null;
    const found = await shakeHands(target.url, exchange, signal);
    if (found.is === "away") return { kind: "away", why: found.why, after: null };
    if (found.is === "busy") return { kind: "busy", why: found.why, after: found.after };
    if (found.is === "stranger") return { kind: "stranger", why: found.why, after: AFTER_OURS };
    if (!found.authorized) return { kind: "key", why: keyLine(destination), after: AFTER_OURS };
    most = Math.min(MOST_BYTES, found.maxBodyBytes);
    known = true;
    return null;
  }

  async function send(spans: readonly ScannedSpan[], signal: AbortSignal): Promise<Trouble | null> {
    const trouble = await ready(signal);
    if (trouble !== null || exchange === null) return trouble;
    const parts: (readonly ScannedSpan[])[] = spans.length > 0 ? [spans] : [];
    let searches = SEARCHES;
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const two = halves(part);
      if (two !== null && sizeOf(part) > most) {
        parts.push(two[1], two[0]);
        continue;
      }
      const outcome = await exchange.post(bodyOf(part), signal);
      if (outcome.is === "accepted") {
        if (outcome.rejected > 0) note(outcome.rejected, outcome.message);
      } else if (outcome.is === "later") {
        if (isCollector(target)) known = false;
        return troubleOf(outcome);
      } else if (two !== null && (outcome.is === "too-large" || searches-- > 0)) parts.push(two[1], two[0]);
      else note(part.length, outcome.why);
    }
    return null;
  }

  function bodyOf(part: readonly ScannedSpan[]): Uint8Array {
    const body = view === null ? requestOf(part) : viewTraces(requestOf(part), view);
    return redact === null ? body : redact(body);
  }

  function note(spans: number, why: string): void {
    refused.spans += spans;
    refused.why = why;
  }

  function troubleOf(outcome: Extract<Outcome, { is: "later" }>): Trouble {
    const { why, after } = outcome;
    if (/^status (401|403)/.test(why))
      return { kind: "key", why: keyLine(destination, why), after: after ?? AFTER_OURS };
    if (outcome.ours === true) return { kind: "setting", why, after: after ?? AFTER_OURS };
    return { kind: why.startsWith("status ") ? "busy" : "away", why, after };
  }

  return { destination, refused, ready, send, close: () => exchange?.close() };
}

/** Throws where it cannot be had: then nothing goes there. */
async function redactionFor(
  { target, redaction }: Destination,
  store: string,
): Promise<(body: Uint8Array) => Uint8Array> {
  if (redaction === undefined)
    throw new Error(
      `the policy ${target.redaction} for this destination is not here; send from the folder of reenact.config.*, or set REENACT_CONFIG`,
    );
  // apart: most destinations have none
  const { traceRedaction } = await import("./trace-redaction.ts");
  return traceRedaction(redaction, store);
}

function keyLine(destination: Destination, why = ""): string {
  return isCollector(destination.target) ? keyTrouble(destination) : why;
}

const sizeOf = (spans: readonly ScannedSpan[]): number => spans.reduce((sum, { span }) => sum + span.length, 0);
