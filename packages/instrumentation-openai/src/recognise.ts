import type { Operation, RequestHead } from "@reenact/capture";
import { createOperation } from "@reenact/capture/dialect";
import { readFailure } from "./failure.ts";
import { readForm } from "./form.ts";
import { TARGETS, type Target } from "./targets.ts";
import { type Vendor, vendorOf } from "./vendors.ts";

/** Azure names the model in the path. */
const DEPLOYMENT = /\/deployments\/([^/]+)\//;

/** By the end of the path, confirmed by the body; of a body not known yet, by a path or a host that leaves no doubt. */
export function recognise(request: RequestHead): Operation | null {
  const { hostname, pathname } = request.url;
  const path = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  const { candidates, provider } = addressed(request.method, hostname, path);
  if (candidates.length === 0) return null;
  const known = provider !== null && provider.own !== true;
  const target = candidates.find((candidate) => fits(candidate, request, known));
  if (target === undefined) return null;
  const wire = { system: "openai", provider, model: deploymentIn(path), form: readForm, failure: readFailure };
  return createOperation(target.reading, wire);
}

interface Address {
  readonly method: string;
  readonly hostname: string;
  readonly path: string;
  readonly candidates: readonly Target[];
  readonly provider: Vendor | null;
}

let last: Address | null = null;

/** What an address alone says. Most calls go where the one before went. */
function addressed(method: string, hostname: string, path: string): Address {
  if (last?.path === path && last.hostname === hostname && last.method === method) return last;
  const candidates = TARGETS.filter((target) => target.method === method && target.path.test(path));
  last = { method, hostname, path, candidates, provider: candidates.length === 0 ? null : vendorOf(hostname) };
  return last;
}

/** Looks for the quoted key in the text instead of parsing it: this runs while the agent waits. */
function fits(target: Target, request: RequestHead, known: boolean): boolean {
  const { body } = request;
  if (body === null) return known || target.distinctive === true || (target.form === true && isForm(request));
  if (isForm(request)) {
    if (target.form === undefined) return false;
    return known || target.form === true || body.includes(`name="${target.form}"`);
  }
  if (target.proof === undefined) return known;
  return /^\s*\{/.test(body) && target.proof.every((group) => group.some((key) => body.includes(`"${key}"`)));
}

function isForm(request: RequestHead): boolean {
  return (
    request.headers.get("content-type")?.startsWith("multipart/form-data") ?? request.body?.startsWith("--") ?? false
  );
}

function deploymentIn(path: string): string | undefined {
  const name = DEPLOYMENT.exec(path)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
