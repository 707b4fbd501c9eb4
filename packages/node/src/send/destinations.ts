import type { DestinationPolicy } from "@reenact/redaction";
import type { Config } from "../config/config.ts";
import { type DestinationRedaction, loadConfigFile } from "../config/config-file.ts";
import { isCollector, type Target, targetKey } from "../spool/target.ts";
import { tracesOf } from "./address.ts";
import type { Destination } from "./destination.ts";
import { otelDestination } from "./otel-destination.ts";

const TIMEOUT_MS = 10_000;

/** Everything that this environment names as a destination. `problems`: one line each; what they speak of is left out. */
export function destinationsOf(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): { destinations: Destination[]; problems: string[] } {
  const named = namedDestinations(config, env);
  const { destinations, problems } = withPolicies(named.destinations, config.configFile);
  return { destinations, problems: [...named.problems, ...problems] };
}

/** Destinations with the policies that the configuration file has for them. Loads that file where there is one of them. */
export function withPolicies(
  named: readonly Destination[],
  configFile: string | null,
): { destinations: Destination[]; problems: string[] } {
  if (named.length === 0) return { destinations: [], problems: [] };
  const file = loadConfigFile(configFile);
  // what each is to get is not known then
  if ("error" in file) return { destinations: [], problems: [file.error] };
  const policies = file.config.destinations ?? [];
  const wrong = named.filter(({ target }) => isCollector(target) && policyOf(target, policies) !== undefined);
  return {
    destinations: named.filter((each) => !wrong.includes(each)).map((each) => withPolicy(each, policies)),
    problems: wrong.map(({ target }) => `${target.url}: ${ONLY_VIEWS}`),
  };
}

const ONLY_VIEWS = "destinations: a collector gets the record itself, which has one policy; set it as redaction";

function policyOf(target: Target, policies: readonly DestinationRedaction[]): DestinationPolicy | undefined {
  const address = new URL(target.url).href;
  return policies.find(({ url }) => {
    const wanted = new URL(url).href;
    return address === wanted || address.startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`);
  })?.redaction;
}

function withPolicy(destination: Destination, policies: readonly DestinationRedaction[]): Destination {
  const redaction = policyOf(destination.target, policies);
  if (redaction === undefined) return destination;
  return { ...destination, target: { ...destination.target, redaction: redaction.name ?? "default" }, redaction };
}

/** The same without policies: nothing is read from the disk. */
export function namedDestinations(
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
  if (found === undefined) return { ...bare(target), unnamed: true };
  // with the policy that its spool names, which this configuration does not have
  return found.redaction === undefined && target.redaction !== undefined ? { ...found, target } : found;
}

function bare(target: Target): Destination {
  const traces = isCollector(target) ? tracesOf(target.url) : target.url;
  return { target, traces, headers: {}, timeoutMs: TIMEOUT_MS, gzip: true, tls: {} };
}
