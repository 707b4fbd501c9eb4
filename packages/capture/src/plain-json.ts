/** JSON text of a value that JSON can hold; null for what it cannot, and for a getter or `toJSON` that throws. */
export function plainJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}
