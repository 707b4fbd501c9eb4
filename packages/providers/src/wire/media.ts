/** What is said of a picture, a sound or a file instead of its bytes: `[image/png, 70 bytes]`. */
export function mediaLabel(mime: string, base64: string): string {
  return sizeLabel(mime, base64Size(base64));
}

export function sizeLabel(mime: string, bytes: number): string {
  return `[${mime}, ${bytes} bytes]`;
}

/** A data URL by type and size; null for any other URL. */
export function dataUrlLabel(url: string): { mime: string; label: string } | null {
  if (!url.startsWith("data:")) return null;
  const comma = url.indexOf(",");
  const head = comma < 0 ? url.slice(5, 105) : url.slice(5, comma);
  const mime = head.split(";", 1)[0] || "text/plain";
  const payload = comma < 0 ? "" : url.slice(comma + 1);
  const label = head.endsWith(";base64") ? mediaLabel(mime, payload) : sizeLabel(mime, payload.length);
  return { mime, label };
}

function base64Size(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
