/** The stream with which a value that an `agent()` returned goes on: itself, or the body of a response. Null: it is whole. */
export function returnedStream(value: unknown): ReadableStream | null {
  if (isA("ReadableStream", value)) return value as ReadableStream;
  if (!isA("Response", value)) return null;
  // a server's stand-in for a response keeps what it was made of, and becomes a slower real one once its body is read
  for (const key of Object.getOwnPropertySymbols(value)) {
    const kept: unknown = Reflect.get(value as object, key);
    if (Array.isArray(kept)) return (kept.find((each) => isA("ReadableStream", each)) as ReadableStream) ?? null;
  }
  return (value as Response).body;
}

/** By its tag: naming a class of the platform loads it, which most programs have no other need of. */
function isA(tag: string, value: unknown): boolean {
  return typeof value === "object" && Object.prototype.toString.call(value) === `[object ${tag}]`;
}
