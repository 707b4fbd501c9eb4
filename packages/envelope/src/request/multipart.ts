export interface FormPart {
  name: string;
  filename: string | null;
  /** content type as written, null when absent */
  type: string | null;
  bytes: Uint8Array;
}

/** The boundary named by a `multipart/form-data` media type; null for other types. */
export function multipartBoundary(mime: string): string | null {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(mime)) return null;
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^;,\s]{1,200}))/i.exec(mime);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Takes a form apart, parts in order; null when it is malformed (nothing is guessed). Bytes are views. */
export function parseForm(bytes: Uint8Array, boundary: string): FormPart[] | null {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const parts: FormPart[] = [];
  let at = body.indexOf(delimiter);
  if (at < 0 || (at > 0 && body.toString("latin1", at - 2, at) !== "\r\n")) return null;
  for (;;) {
    at += delimiter.length;
    const tail = body.toString("latin1", at, at + 2);
    if (tail === "--") return parts;
    if (tail !== "\r\n") return null;
    const head = body.indexOf("\r\n\r\n", at);
    if (head < 0) return null;
    const end = body.indexOf(`\r\n--${boundary}`, head + 2, "latin1");
    if (end < 0) return null;
    const part = describe(body.toString("utf8", at + 2, head), body.subarray(head + 4, Math.max(end, head + 4)));
    if (part === null) return null;
    parts.push(part);
    at = end + 2;
  }
}

function describe(head: string, bytes: Uint8Array): FormPart | null {
  const headers = new Map<string, string>();
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  const name = parameter(disposition, "name");
  if (name === null) return null;
  return { name, filename: parameter(disposition, "filename"), type: headers.get("content-type") ?? null, bytes };
}

function parameter(header: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, "i").exec(header);
  return match?.[1] ?? match?.[2] ?? null;
}
