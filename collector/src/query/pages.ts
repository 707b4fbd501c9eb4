import { globSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { Context } from "hono";
import { basePath } from "./session/base-path.ts";

/** Answers with a page of the web UI or a file of it; null: it is neither. */
export type Pages = (ask: Context) => Response | null;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Nothing of another origin, no inline script and no markup from text; in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** One file for itself: its policy stands in it, and allows its own script and style alone. */
const VIEWER = "/viewer.html";
const FRAMES = "frame-ancestors 'none'";

/** Addresses of pages; what else a browser navigates to gets the page that says so. */
const PAGE = /^\/(?:signin|errors|settings|setup|tests|r\/[^/]+(?:\/replay)?|diff\/[^/]+\/[^/]+)?$/;

/** `folder`: the built files, read once; one without them serves nothing. They hold no data: that comes from the API. */
export function createPages(folder: string): Pages {
  const files = new Map(
    globSync("**/*.*", { cwd: folder }).map((path) => [
      `/${path.split(sep).join("/")}`,
      { bytes: readFileSync(join(folder, path)), type: TYPES[extname(path)] ?? "application/octet-stream" },
    ]),
  );
  const page = files.get("/index.html")?.bytes.toString();

  return (ask) => {
    if (page === undefined) return null;
    const { path } = ask.req;
    const file = path === "/index.html" ? undefined : files.get(path);
    if (file) {
      // names under assets hold a digest of their content
      const cache = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      return ask.body(new Uint8Array(file.bytes), 200, {
        ...HEADERS,
        ...(path === VIEWER && { "content-security-policy": FRAMES }),
        "content-type": file.type,
        "cache-control": cache,
      });
    }
    const isPage = PAGE.test(path);
    if (!/\btext\/html\b/.test(ask.req.header("accept") ?? "") || path.startsWith("/api/")) return null;
    const html = page.replace('<base href="/"', `<base href="${basePath(ask.req.raw.headers)}"`);
    return ask.body(html, isPage ? 200 : 404, {
      ...HEADERS,
      "content-type": TYPES[".html"]!,
      "cache-control": "no-cache",
      vary: "accept, x-forwarded-prefix",
    });
  };
}
