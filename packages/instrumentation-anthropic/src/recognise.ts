import type { Operation, RequestHead } from "@reenact/capture";
import { createOperation } from "@reenact/capture/dialect";
import { readFailure } from "./failure.ts";
import { HOSTS, TARGETS, type Target } from "./targets.ts";

/** By the end of the path, confirmed by the body, since proxies share paths; of a body not known yet, by the host. */
export function recognise(request: RequestHead): Operation | null {
  const { hostname, pathname } = request.url;
  const path = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  const provider = HOSTS.find(({ host }) => hostname === host || hostname.endsWith(`.${host}`)) ?? null;
  const target = TARGETS.find((candidate) => fits(candidate, request, path, provider !== null));
  if (target === undefined) return null;
  return createOperation(target.reading, { system: "anthropic", provider, failure: readFailure });
}

/** Looks for the quoted key in the text instead of parsing it: this runs while the agent waits. */
function fits(target: Target, { method, body }: RequestHead, path: string, known: boolean): boolean {
  if (target.method !== method || !target.path.test(path)) return false;
  if (body === null || target.proof === undefined) return known;
  return /^\s*\{/.test(body) && target.proof.every((key) => body.includes(`"${key}"`));
}
