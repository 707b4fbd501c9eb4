/** The first `most` texts with commas between them, and how many more there are: `a, b and 3 more`. */
export function listed(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : "";
  return texts.slice(0, most).join(", ") + more;
}
