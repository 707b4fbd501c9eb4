type WithState = { traceState?: { serialize(): string } | undefined };

/** A trace state in which something was found is left out: its grammar has no room for a token. */
export function traceStateWithout<T extends WithState>(context: T, onText: (text: string) => string): T {
  const text = context.traceState?.serialize();
  if (text === undefined || text === "" || onText(text) === text) return context;
  const { traceState: _, ...rest } = context;
  return rest as T;
}
