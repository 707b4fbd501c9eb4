import { StoreError } from "./store-error.ts";

const SEGMENT = /^[A-Za-z0-9._=-]+$/;
const LONGEST = 512;

/** The key as it is, or `BAD_KEY`: a key that passes is a safe relative path on every file system. */
export function objectKey(key: string): string {
  const bad = (why: string) => new StoreError("BAD_KEY", `key ${JSON.stringify(key.slice(0, 80))}`, why);
  if (key.length === 0 || key.length > LONGEST) throw bad(`${key.length} characters`);
  for (const segment of key.split("/")) {
    if (!SEGMENT.test(segment)) throw bad(`segment ${JSON.stringify(segment.slice(0, 80))}`);
    if (segment === "." || segment === "..") throw bad("dots for a segment");
    if (segment.length > 255) throw bad("a segment of more than 255 characters");
  }
  return key;
}
