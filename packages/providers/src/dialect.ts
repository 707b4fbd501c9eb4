import type { Dialect, Operation, RequestHead } from "@reenact/capture";
import { hostOf, OTHER_HOSTS } from "./hosts.ts";
import type { Operations } from "./operation.ts";
import type { Host, Provider, Target } from "./provider.ts";
import { PROVIDERS } from "./registry.ts";
import { object, readJson } from "./wire/json.ts";

/** Every host that has a name, those of the providers first. */
const HOSTS: readonly Host[] = [...PROVIDERS.flatMap(({ hosts }) => hosts), ...OTHER_HOSTS];

/**
 * Recognises a provider's calls by the end of the path, confirmed by the body, since proxies share paths; while the body
 * is not known, by a path or a host that leaves no doubt. `load` is called once, by the first call that is recognised.
 */
export function createDialect(provider: Provider, load: () => Operations): Dialect {
  const addressed = lastAddress(provider);
  let operations: Operations | null = null;
  return {
    name: provider.name,
    recognise(request): Operation | null {
      const { hostname, pathname } = request.url;
      const path = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
      const { candidates, known, vendor } = addressed(request.method, hostname, path);
      const target = candidates.find((candidate) => fits(candidate, request, known));
      if (target === undefined) return null;
      const create = (operations ??= load())[target.operation];
      const modelAt = (url: string): string | undefined => modelIn(url, provider);
      return create?.({ system: provider.name, vendor, model: modelIn(path, provider), modelAt }) ?? null;
    },
  };
}

interface Addressed {
  readonly candidates: readonly Target[];
  /** the host speaks this wire format */
  readonly known: boolean;
  readonly vendor: Host | null;
}

/** What an address alone says. Most calls go to the address of the call before. */
function lastAddress(provider: Provider): (method: string, hostname: string, path: string) => Addressed {
  const speaking = [...provider.hosts, ...HOSTS.filter(({ speaks }) => speaks?.includes(provider.name))];
  let last: (Addressed & { method: string; hostname: string; path: string }) | null = null;
  return (method, hostname, path) => {
    if (last?.path === path && last.hostname === hostname && last.method === method) return last;
    const candidates = provider.targets.filter((target) => target.method === method && target.path.test(path));
    const found = candidates.length === 0 ? null : hostOf(hostname, HOSTS);
    const known = candidates.length > 0 && hostOf(hostname, speaking) !== null;
    last = { method, hostname, path, candidates, known, vendor: found };
    return last;
  };
}

/** Looks for the quoted key in the text instead of parsing it: this runs while the agent waits. */
function fits(target: Target, request: RequestHead, known: boolean): boolean {
  const { body } = request;
  if (target.knownHost === true && !known) return false;
  if (body === null) return known || target.distinctive === true || (target.form === true && isForm(request));
  if (isForm(request)) {
    if (target.form === undefined) return false;
    return known || target.form === true || body.includes(`name="${target.form}"`);
  }
  if (target.proof === undefined) return known;
  if (!/^\s*\{/.test(body) || !target.proof.every((group) => group.some((key) => body.includes(`"${key}"`))))
    return false;
  return target.ownMembers !== true || hasMembers(body, target.proof);
}

function hasMembers(body: string, groups: NonNullable<Target["proof"]>): boolean {
  const members = object(readJson(body));
  const has = (key: string): boolean => Object.hasOwn(members, key) && members[key] !== null;
  return groups.every((group) => group.some(has));
}

function isForm(request: RequestHead): boolean {
  return (
    request.headers.get("content-type")?.startsWith("multipart/form-data") ?? request.body?.startsWith("--") ?? false
  );
}

function modelIn(path: string, { modelInPath }: Provider): string | undefined {
  const name = modelInPath?.exec(path)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
