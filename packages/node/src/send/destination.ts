import type { Config } from "../config.ts";
import { isCollector, type Target, targetKey } from "../spool/target.ts";
import { tracesOf } from "./address.ts";
import { otelDestination } from "./otel-destination.ts";

/** A target, and how it is reached. Held in memory only: it has keys. */
export interface Destination {
  readonly target: Target;
  /** where spans are posted */
  readonly traces: string;
  readonly headers: Readonly<Record<string, string>>;
  /** only a spool file names it, not this environment: no key goes there */
  readonly unnamed?: true;
  /** of one exchange, milliseconds */
  readonly timeoutMs: number;
  readonly gzip: boolean;
  /** paths of PEM files */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

const TIMEOUT_MS = 10_000;

/** Everything that this environment names as a destination. `problems`: one line each; what they speak of is left out. */
export function destinationsOf(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): { destinations: Destination[]; problems: string[] } {
  const { endpoint, apiKey, forward, forwardView: view, forwardHeaders: headers } = config;
  const destinations: Destination[] = forward.map((url) => ({ ...bare({ url, view }), headers }));
  if (endpoint !== null) {
    const key = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
    destinations.unshift({ ...bare({ url: endpoint, view: "record" }), headers: key });
  }
  if (!config.exportOtel) return { destinations, problems: [] };
  const otel = otelDestination(env, view);
  if ("error" in otel) return { destinations, problems: [otel.error] };
  const twice = destinations.some((each) => targetKey(each.target) === targetKey(otel.target));
  return { destinations: twice ? destinations : [...destinations, otel], problems: [] };
}

/** How a target is reached that a spool file names: with a key only where this environment has that very target. */
export function destinationFor(target: Target, known: readonly Destination[]): Destination {
  const found = known.find((each) => targetKey(each.target) === targetKey(target));
  return found ?? { ...bare(target), unnamed: true };
}

function bare(target: Target): Destination {
  const traces = isCollector(target) ? tracesOf(target.url) : target.url;
  return { target, traces, headers: {}, timeoutMs: TIMEOUT_MS, gzip: true, tls: {} };
}
