import { globSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";
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

/** The page of one run; a run of its own comes first in it. */
const RUN = /^\/r\/([0-9a-f]{4,32})$/;
/** Lets a browser ask for the steps while it still loads the script. The same address as the first one of `use-run-view.ts` in the pages. */
const preload = (run: string): string =>
  `<link rel="preload" as="fetch" crossorigin href="api/v1/runs/${run}/view?after=0&amp;limit=500" />`;

/** `folder`: the built files, read once; one without them serves nothing. They hold no data: that comes from the API. */
export function createPages(folder: string): Pages {
  const files = new Map(
    globSync("**/*.*", { cwd: folder }).map((path) => [`/${path.split(sep).join("/")}`, fileOf(join(folder, path))]),
  );
  const document = files.get("/index.html");
  const page = document && new TextDecoder().decode(document.bytes);

  return (ask) => {
    if (page === undefined) return null;
    const { path } = ask.req;
    const file = path === "/index.html" ? undefined : files.get(path);
    if (file) {
      // names under assets hold a digest of their content
      const cache = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      const isPacked = /\bgzip\b/.test(ask.req.header("accept-encoding") ?? "");
      return ask.body(isPacked ? file.packed() : file.bytes, 200, {
        ...HEADERS,
        ...(path === VIEWER && { "content-security-policy": FRAMES }),
        ...(isPacked && { "content-encoding": "gzip" }),
        "content-type": file.type,
        "cache-control": cache,
        vary: "accept-encoding",
      });
    }
    const isPage = PAGE.test(path);
    if (!/\btext\/html\b/.test(ask.req.header("accept") ?? "") || path.startsWith("/api/")) return null;
    const run = RUN.exec(path)?.[1];
    const html = page
      .replace('<base href="/"', `<base href="${basePath(ask.req.raw.headers)}"`)
      // behind the base, on which its address rests
      .replace("<title>", () => `${run === undefined ? "" : preload(run)}<title>`);
    return ask.body(html, isPage ? 200 : 404, {
      ...HEADERS,
      "content-type": TYPES[".html"]!,
      "cache-control": "no-cache",
      vary: "accept, x-forwarded-prefix",
    });
  };
}

function fileOf(path: string) {
  const bytes = new Uint8Array(readFileSync(path));
  let packed: Uint8Array<ArrayBuffer> | null = null;
  return {
    bytes,
    /** with gzip, made when it is first asked for */
    packed: () => (packed ??= new Uint8Array(gzipSync(bytes, { level: 9 }))),
    type: TYPES[extname(path)] ?? "application/octet-stream",
  };
}
