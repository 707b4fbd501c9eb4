import type { Difference } from "./difference.ts";

/** The difference that a verdict is about, and what belongs to it. */
export interface Blame extends Difference {
  /** what else differs in this call, each with its place */
  readonly others?: {
    of: "URL" | "method" | "header" | "redirect" | "option" | null;
    pointer: string;
    recorded: unknown;
    now: unknown;
  }[];
  /** why it may differ although the agent did nothing else, and what to do; null where nothing is known */
  readonly why?: string | null;
}

/** Others that are listed; all of them would say nothing more. */
const MOST = 20;

export function blameOf(differences: readonly Difference[], why: (first: Difference) => string | null): Blame | null {
  const [first, ...rest] = differences;
  if (first === undefined) return null;
  const others = rest.slice(0, MOST).map(({ of = null, pointer, recorded, now }) => ({ of, pointer, recorded, now }));
  return { ...first, others, why: why(first) };
}

/** Where a difference stands, for people. */
export function placeOf({ of, pointer }: Difference): string {
  switch (of) {
    case "header":
      return `header ${pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~")}`;
    case "redirect":
      return "the redirect option of fetch";
    case "option":
      return `the ${pointer.slice(1)} option of fetch`;
    case "method":
      return "its method";
    case "URL":
      return "its URL";
    default:
      return pointer || "its body";
  }
}
