// Text of a given size that no memo has seen: ordinary words, some numbers, now and then an address to redact.
const WORDS =
  "the order was shipped on Monday and the customer asked for a refund because the parcel arrived late while our policy says that items over fifty euros need a photo of the damage before support may send a replacement from the nearest warehouse".split(
    " ",
  );

/** ASCII prose of exactly `bytes` bytes, the same for the same `seed`. */
export function prose(bytes, seed) {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  const parts = [`Note ${seed}.`];
  for (let length = 0; length < bytes;) {
    const n = next() >>> 16;
    const word =
      n % 6007 === 0
        ? `anna.${n}@example.org`
        : n % 37 === 0
          ? String(n)
          : n % 23 === 0
            ? 'say "no".\n'
            : WORDS[n % WORDS.length];
    parts.push(word);
    length += word.length + 1;
  }
  return parts.join(" ").slice(0, bytes);
}
