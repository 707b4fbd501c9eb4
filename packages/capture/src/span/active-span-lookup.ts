interface ActiveSpan {
  readonly traceId: string;
  readonly spanId: string;
}

let lookup = (): ActiveSpan | null => null;

/** How to find the agent's own active span, where OpenTelemetry is loaded. */
export function setActiveSpanLookup(next: typeof lookup): void {
  lookup = next;
}

export function activeSpan(): ActiveSpan | null {
  return lookup();
}
