import { hash } from "node:crypto";
import canonicalize from "canonicalize";

/** Digest of the call of a tool that a person decides on (SPEC.md §3): 64 hex digits, over its redacted arguments. */
export function decisionDigest(tool: string, args: unknown): string {
  return hash("sha256", canonicalize({ tool, arguments: args }) ?? "");
}
