import { join } from "node:path";
import { defineConfig } from "vite";
import pages from "./vite.config.ts";

const shim = (name: string): string => join(import.meta.dirname, "src/viewer/node", name);

/** The script that reads a dropped file: one file, with what the packages use of Node in its place. */
export default defineConfig({
  ...pages,
  publicDir: false,
  resolve: {
    ...pages.resolve,
    alias: [
      { find: /^node:crypto$/, replacement: shim("crypto.ts") },
      { find: /^node:zlib$/, replacement: shim("zlib.ts") },
      { find: /^node:events$/, replacement: shim("events.ts") },
      { find: /^node:util\/types$/, replacement: shim("util-types.ts") },
      { find: /^node:(?:fs|fs\/promises|path)$/, replacement: shim("no-files.ts") },
    ],
  },
  build: {
    ...pages.build,
    lib: { entry: join(import.meta.dirname, "src/viewer/viewer.ts"), formats: ["es"], fileName: () => "viewer.js" },
    minify: true,
  },
});
