/**
 * Where records of a process go, as its spool file names it: `record` is a Reenact collector that gets everything, and
 * then no run is sealed into the local store; the others are OTLP receivers. Never a key.
 */
export interface Target {
  /** without user, query or fragment */
  readonly url: string;
  readonly view: "record" | "full" | "openinference";
  /** name of the policy that is applied to what goes there: it is sent with that policy, or not at all */
  readonly redaction?: string;
}

/** What tells targets apart. */
export function targetKey({ url, view }: Target): string {
  return `${view} ${url}`;
}

export function isCollector({ view }: Target): boolean {
  return view === "record";
}

/** Of the first frame of a spool file; what makes no sense is left out. */
export function readTargets(given: unknown): readonly Target[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((each: unknown) => {
    const { url, view, redaction } = (each ?? {}) as Record<string, unknown>;
    if (typeof url !== "string" || !URL.canParse(url)) return [];
    return view === "record" || view === "full" || view === "openinference"
      ? [{ url, view, ...(typeof redaction === "string" && { redaction }) }]
      : [];
  });
}
