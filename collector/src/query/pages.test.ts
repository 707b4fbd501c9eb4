import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { createPages } from "./pages.ts";

const folder = mkdtempSync(join(tmpdir(), "reenact-pages-"));
mkdirSync(join(folder, "ui/assets"), { recursive: true });
writeFileSync(join(folder, "secret.txt"), "not a page");
writeFileSync(
  join(folder, "ui/index.html"),
  '<html><head><base href="/" /><title>Reenact</title></head><body>pages</body></html>',
);
writeFileSync(join(folder, "ui/assets/index-abc.js"), "export {};");
writeFileSync(join(folder, "ui/viewer.html"), "a page of its own");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const serve = (from: string) => {
  const pages = createPages(from);
  return new Hono().get("*", (ask) => pages(ask) ?? ask.text("no page", 404));
};
const app = serve(join(folder, "ui"));
const html = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { accept: "text/html,*/*", ...headers } });

test("every page is one document, with a policy that lets nothing foreign in", async () => {
  for (const path of ["/", "/r/abcd", "/r/abcd/replay", "/settings", "/?filter=x"]) {
    const response = await html(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toContain("pages");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("no-cache");
  }
  expect((await html("/what/ever")).status).toBe(404);
});

test("the viewer, which has its policy in itself, stands in no frame", async () => {
  const response = await html("/viewer.html");
  expect(await response.text()).toBe("a page of its own");
  expect(response.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
  expect(response.headers.get("x-frame-options")).toBe("DENY");
});

test("assets are kept by browsers for ever, the document is not", async () => {
  const response = await app.request("/assets/index-abc.js");
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("cache-control")).toContain("immutable");
});

test("a run is asked for before its page's script is loaded", async () => {
  const asked = async (path: string) => /<link rel="preload"[^>]*>/.exec(await (await html(path)).text())?.[0];
  expect(await asked("/r/7f3a91")).toBe(
    '<link rel="preload" as="fetch" crossorigin href="api/v1/runs/7f3a91/view?after=0&amp;limit=500" />',
  );
  for (const path of ["/", "/r/7f3a91/replay", '/r/"><script>', "/r/@last", "/r/..%2f..", "/r/7f3a91%22"])
    expect(await asked(path), path).toBeUndefined();
});

test("files are packed for who takes them so", async () => {
  const plain = await app.request("/assets/index-abc.js");
  const packed = await app.request("/assets/index-abc.js", { headers: { "accept-encoding": "br, gzip" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("vary")).toBe("accept-encoding");
  expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(await plain.text());
});

test("programs get no page, and nothing outside the folder is a file of it", async () => {
  expect(await (await app.request("/")).text()).toBe("no page");
  expect(await (await html("/api/v1/nothing")).text()).toBe("no page");
  for (const path of ["/../secret.txt", "/assets/../../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt"])
    expect(await (await app.request(`http://localhost${path}`)).text(), path).toBe("no page");
});

test("a proxy's path becomes the base of all addresses, if it is one", async () => {
  const baseOf = async (prefix: string) =>
    /<base href="([^"]*)"/.exec(await (await html("/", { "x-forwarded-prefix": prefix })).text())?.[1];
  expect(await baseOf("/tools/reenact")).toBe("/tools/reenact/");
  expect(await baseOf("/tools/")).toBe("/tools/");
  for (const bad of ["//evil.example", "/a/../b", '/"><script>', "https://evil.example", "/a b"])
    expect(await baseOf(bad), bad).toBe("/");
});

test("a collector without built pages serves none", async () => {
  expect(await (await serve(join(folder, "nothing")).request("/", { headers: { accept: "text/html" } })).text()).toBe(
    "no page",
  );
});
