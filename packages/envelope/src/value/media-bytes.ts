/** First bytes of pictures, sound, films, PDFs and archives, as Latin-1. */
const MAGIC =
  // oxlint-disable-next-line no-control-regex
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|BM[^]{4}\0\0\0\0|II\*\0|MM\0\*|%PDF-|ID3[\0-\x08]|\xff[\xf1-\xfb]|OggS\0|fLaC\0|PK\x03\x04|\x1f\x8b|\x28\xb5\x2f\xfd|\0asm|\x1aE\xdf\xa3|wOF[F2]|\0\0\x01\0|RIFF[^]{4}(?:WAVE|WEBP|AVI )|[^]{4}ftyp)/;

/** Whether bytes, given as Latin-1, begin as media do. The first sixteen are enough. */
export function beginsAsMedia(octets: string): boolean {
  return MAGIC.test(octets);
}
