export type StackFormat = (error: Error, trace: NodeJS.CallSite[]) => unknown;

/** Formats of ours, which are given all frames. */
const ours = new WeakSet<object>();

export function takesWholeTrace(format: object): boolean {
  return ours.has(format);
}

/** Gives what `read` reads as the stack of an error in this format: all frames, whatever the program has set. */
export function inFormat<T>(format: StackFormat, read: () => T): T {
  const before: unknown = Error.prepareStackTrace;
  ours.add(format);
  Error.prepareStackTrace = format;
  try {
    return read();
  } finally {
    if (before === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Error.prepareStackTrace = before as StackFormat;
  }
}

/** As a line of a stack has it, behind `at `. */
export function textOf(site: NodeJS.CallSite): string {
  return (site as { toString(): string }).toString();
}
