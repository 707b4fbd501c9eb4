/** What is said of anything that was thrown. Of an object that is no error only its kind: as a text it would lose its names. */
export function thrownMessage(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message);
    return (typeof thrown === "object" && thrown !== null) || typeof thrown === "function"
      ? Object.prototype.toString.call(thrown)
      : String(thrown);
  } catch {
    return "something that could not be read";
  }
}
