import { readConfig } from "../config/config.ts";
import { destinationsOf } from "./destinations.ts";
import { openExchange } from "./exchange.ts";
import { keyTrouble, shakeHands } from "./handshake.ts";
import { isCollector } from "../spool/target.ts";

/** What is at `REENACT_ENDPOINT`. */
export type EndpointCheck =
  | { readonly is: "none" }
  | { readonly is: "ready"; readonly url: string; readonly version: string }
  /** `key`: it takes no records with this key, or without one */
  | { readonly is: "away" | "stranger" | "key" | "busy"; readonly url: string; readonly why: string };

/** Shakes hands, then sends a request without spans: what answers 200 to that takes records too. Never rejects. */
export async function checkEndpoint(env: Readonly<Record<string, string | undefined>>): Promise<EndpointCheck> {
  const { destinations } = destinationsOf(readConfig(env).config, env);
  const destination = destinations.find(({ target }) => isCollector(target));
  if (destination === undefined) return { is: "none" };
  const { url } = destination.target;
  const exchange = openExchange(destination);
  const { signal } = new AbortController();
  try {
    const found = await shakeHands(url, exchange, signal);
    if (found.is !== "collector") return { is: found.is, url, why: found.why };
    if (!found.authorized) return { is: "key", url, why: keyTrouble(destination) };
    const outcome = await exchange.post(new Uint8Array(), signal);
    if (outcome.is === "accepted") return { is: "ready", url, version: found.version };
    return { is: /^status 40[13]/.test(outcome.why) ? "key" : "busy", url, why: outcome.why };
  } finally {
    exchange.close();
  }
}
