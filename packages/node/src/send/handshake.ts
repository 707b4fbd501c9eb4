import { outcomeOf } from "@reenact/envelope/transfer";
import type { Destination } from "./destination.ts";
import type { Exchange } from "./exchange.ts";

export type Handshake =
  | { readonly is: "collector"; readonly version: string; readonly maxBodyBytes: number; readonly authorized: boolean }
  /** no answer */
  | { readonly is: "away"; readonly why: string }
  /** it, or a proxy before it, cannot now; not before `after` milliseconds, if that is said */
  | { readonly is: "busy"; readonly why: string; readonly after: number | null }
  /** another server answered: nothing may be sent there */
  | { readonly is: "stranger"; readonly why: string };

/** Smaller than any limit a collector is likely to have, for one that does not say. */
const SMALL = 4 * 1024 * 1024;

/** Whether a Reenact collector is at `root`, by `GET /v1/reenact`. Never rejects. */
export async function shakeHands(root: string, exchange: Exchange, signal: AbortSignal): Promise<Handshake> {
  const answer = await exchange.get(`${root}/v1/reenact`, signal);
  if (typeof answer === "string") return { is: "away", why: answer };
  const { status, body } = answer;
  if (status === 408 || status === 429 || (status >= 500 && status !== 501)) {
    const outcome = outcomeOf(answer, Date.now());
    return { is: "busy", why: `status ${status}`, after: outcome.is === "later" ? outcome.after : null };
  }
  const facts = status === 200 ? parsed(Buffer.from(body).toString()) : null;
  if (facts === null || typeof facts["reenact"] !== "number")
    return { is: "stranger", why: `no Reenact collector answers there (status ${status})` };
  if (facts["reenact"] !== 1)
    return {
      is: "stranger",
      why: `the collector there speaks version ${facts["reenact"]} of the protocol, this one 1`,
    };
  return {
    is: "collector",
    version: String(facts["version"]),
    maxBodyBytes: typeof facts["maxBodyBytes"] === "number" ? facts["maxBodyBytes"] : SMALL,
    authorized: facts["authorized"] !== false,
  };
}

/** Why a collector that wants a key takes nothing. */
export function keyTrouble({ headers, unnamed }: Pick<Destination, "headers" | "unnamed">): string {
  if (unnamed) return "it asks for a key, which goes only to the address that REENACT_ENDPOINT names beside it";
  return headers["authorization"] === undefined
    ? "it asks for a key and REENACT_API_KEY is not set"
    : "it does not take the key in REENACT_API_KEY for sending";
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
