import { hash } from "node:crypto";
import { canonicalRequest, type Dimensions, type RequestBody } from "./canonical-request.ts";
import type { RequestDigests } from "../schema/record.ts";

const digest = (text: string | Uint8Array) => hash("sha256", text);

/**
 * Digests of a redacted request: the one function for record, replay and fixtures (SPEC.md §9). SHA-256, 64 hex
 * digits each. Needs no redaction key: tokens are renamed by first appearance.
 */
export function digestRequest(body: RequestBody | null, dimensions: Dimensions | null): RequestDigests {
  const { messages, body: whole, ...rest } = canonicalRequest(body, dimensions);
  const digests: RequestDigests = { body: digest(whole) };
  for (const [name, text] of Object.entries(rest)) digests[name] = digest(text);
  if (messages) digests.messages = messages.map(digest);
  return digests;
}
