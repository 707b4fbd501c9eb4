const TRACES = "/v1/traces";

/**
 * Root of a collector, without a slash at its end. Null: it is none, or it holds a user or a query, which would be
 * written into the spool. `…/v1/traces` is taken for the root above it.
 */
export function readRoot(text: string): string | null {
  const url = readAddress(text);
  return url === null ? null : url.replace(/\/$/, "").replace(/\/v1\/traces$/, "");
}

/** Addresses for spans; one without a path gets the path of OTLP/HTTP. Null: one of them is none. */
export function readForward(text: string | null): string[] | null {
  const parts = (text?.split(",") ?? []).map((each) => each.trim()).filter((each) => each !== "");
  const urls = parts.flatMap((each) => readAddress(each) ?? []);
  return urls.length === parts.length ? [...new Set(urls.map(withPath))] : null;
}

export const tracesOf = (root: string): string => `${root}${TRACES}`;

function withPath(url: string): string {
  return new URL(url).pathname === "/" ? tracesOf(url.replace(/\/$/, "")) : url;
}

export function readAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, search, hash, href } = new URL(text);
  const plain = username === "" && password === "" && search === "" && hash === "";
  return plain && (protocol === "http:" || protocol === "https:") ? href : null;
}
