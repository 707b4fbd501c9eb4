/** Images, sounds and videos that a browser shows and that hold no program. */
const INERT =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/(?:mpeg|mp4|ogg|opus|wav|x-wav|webm|flac|aac)|video\/(?:mp4|webm|ogg))$/;

export const TEXT = "text/plain; charset=utf-8";
export const BYTES = "application/octet-stream";

/**
 * The media type under which a recorded value is served, whatever its sender called it: nothing that a browser runs. JSON and
 * known media keep theirs, any other text is plain text, and the rest is bytes to download.
 */
export function mediaType(claimed: string | null, isText: boolean): string {
  const named = claimed?.split(";", 1)[0]!.trim().toLowerCase() ?? "";
  if (/^application\/(?:[a-z0-9.-]+\+)?json$/.test(named) && isText) return "application/json";
  if (isText) return TEXT;
  return INERT.test(named) ? named : BYTES;
}

/** Shown in place, or only given as a download. */
export const isInline = (type: string): boolean => type !== BYTES;
