const REMEMBERED = 2048;
const remembered = new Map<string, readonly string[]>();

/** The words of a name: `clientSecret`, `client-secret` and `CLIENT_SECRET` are `client`, `secret`. Lower case. */
export function nameWords(name: string): readonly string[] {
  let words = remembered.get(name);
  if (words === undefined) {
    words = name
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1_$2")
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
      .toLowerCase()
      .split(/[^\p{L}\p{N}']+/u)
      .filter((word) => word !== "");
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(name, words);
  }
  return words;
}
