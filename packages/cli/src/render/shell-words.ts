/** A command as a shell has to be given it, so that it is the same one when it is pasted. */
export function shellWords(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  // "=" ahead would make an assignment of the first word
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
