import { basePath } from "./base-path.ts";
import { SESSION_SECONDS } from "./sessions.ts";

/** Browsers do not keep cookies of different ports apart: two collectors on one machine need two names. */
function cookieName(headers: Headers): string {
  const port = /:(\d{1,5})$/.exec(headers.get("host") ?? "")?.[1];
  return port === undefined ? "reenact_session" : `reenact_session_${port}`;
}

/** The session that a page of ours names; null: none, or another site sent the request. */
export function sessionIdOf(headers: Headers): string | null {
  if (!isFromOwnPage(headers)) return null;
  const name = cookieName(headers);
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const [key, value = ""] = pair.trim().split("=", 2);
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return null;
}

/**
 * Cookies come with requests of other ports of the same host, too, which `SameSite` lets pass. A browser names the origin
 * of every request that changes something, and of those between origins whose answer a page could read.
 */
function isFromOwnPage(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("origin");
  return origin === null || URL.parse(origin)?.host === headers.get("host")?.toLowerCase();
}

/** `Set-Cookie` of a session; id null: removes it. */
export function sessionCookie(request: Request, id: string | null): string {
  const { headers, url } = request;
  const isSecure = url.startsWith("https:") || headers.get("x-forwarded-proto") === "https";
  return [
    `${cookieName(headers)}=${id ?? ""}`,
    `Path=${basePath(headers)}`,
    `Max-Age=${id === null ? 0 : SESSION_SECONDS}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");
}
