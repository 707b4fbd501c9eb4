/** Short texts in which nothing was found: names, roles and ids come back in every message and every chunk. */
export interface CleanTexts {
  has(text: string, idLike: boolean): boolean;
  add(text: string, idLike: boolean): void;
  clear(): void;
}

const MOST = 4096;

export function createCleanTexts(): CleanTexts {
  const ids = new Set<string>();
  const others = new Set<string>();
  const textsOf = (idLike: boolean): Set<string> => (idLike ? ids : others);
  return {
    has: (text, idLike) => textsOf(idLike).has(text),
    add(text, idLike) {
      const texts = textsOf(idLike);
      if (texts.size >= MOST) texts.clear();
      texts.add(copied(text));
    },
    clear() {
      ids.clear();
      others.clear();
    },
  };
}

/** A slice would keep the whole text alive that it was cut from. Any string comes back as it was, lone surrogates too. */
function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
