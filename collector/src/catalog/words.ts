/** The words of a text as search sees them: letters and digits, no accents, no case. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}+/gu, "");
  return plain.toLowerCase().match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}
