import { createHash } from "node:crypto";

const known = new Map<string, string>();

/** SHA-256, hex; remembers the last few texts, since a tool's source is asked for at each call. */
export function sha256(text: string): string {
  const hit = known.get(text);
  if (hit !== undefined) return hit;
  const hash = createHash("sha256").update(text).digest("hex");
  if (known.size > 256) known.clear();
  known.set(text, hash);
  return hash;
}
