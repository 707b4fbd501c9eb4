/** Path under which a proxy serves the collector, with a slash at both ends; `/` without one. */
export function basePath(headers: Headers): string {
  const prefix = headers.get("x-forwarded-prefix")?.replace(/\/$/, "") ?? "";
  return /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(prefix) ? `${prefix}/` : "/";
}
