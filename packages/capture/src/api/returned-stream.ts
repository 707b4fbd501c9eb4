/** The stream with which a value that an `agent()` returned goes on: itself, or the body of a response. Null: it is whole. */
export function returnedStream(value: unknown): ReadableStream | null {
  if (isStream(value)) return value;
  if (!isResponse(value)) return null;
  // a server's stand-in for a response keeps what it was made of, and becomes a slower real one once its body is read
  for (const key of Object.getOwnPropertySymbols(value)) {
    const kept: unknown = Reflect.get(value, key);
    if (Array.isArray(kept)) return kept.find(isStream) ?? null;
  }
  return value.body;
}

const isStream = (value: unknown): value is ReadableStream => tagOf(value) === "[object ReadableStream]";
const isResponse = (value: unknown): value is Response => tagOf(value) === "[object Response]";

/** By its tag: naming a class of the platform loads it, which most programs have no other need of. */
function tagOf(value: unknown): string | null {
  return typeof value === "object" ? Object.prototype.toString.call(value) : null;
}
