import { allowedOf } from "./allow-list.ts";
import type { Policy } from "../policy.ts";

/**
 * What of a policy decides what is found and what is written instead, in an order of its own: part of the hash of a
 * rule set. A function of the user's is known by its name and type alone. Exact values that are allowed are in it.
 */
export function policyFacts(policy: Policy): unknown[] {
  const { paths } = policy;
  const { values, domains, patterns } = allowedOf(policy.allow);
  return [
    sorted(policy.off),
    sorted(values),
    policy.capUnits ?? 0,
    Object.entries(policy.actions ?? {})
      .filter(([, action]) => action !== undefined && action !== "token")
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [sorted(paths?.allow), sorted(paths?.deny), (paths?.shapes ?? []).map(({ path, as }) => [path, as])],
    (policy.patterns ?? []).map(({ type, pattern, ignoreCase }) => [type, pattern, ignoreCase === true]),
    (policy.detectors ?? []).map(({ name, type }) => [name, type]),
    policy.media ?? "keep",
    // absent where a policy has none, so that the hash of older policies stays
    ...(domains.length + patterns.length === 0 ? [] : [sorted(domains), sorted(patterns)]),
  ];
}

const sorted = (values: readonly string[] | undefined): string[] => [...(values ?? [])].toSorted();
