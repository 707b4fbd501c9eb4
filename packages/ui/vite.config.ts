import { defineConfig } from "vite";

export default defineConfig({
  // a proxy may serve the pages under any path: `<base>` names it at run time
  base: "./",
  resolve: { conditions: ["@reenact/source", "module", "browser", "development|production"] },
  build: {
    emptyOutDir: true,
    target: "es2024",
    // each would need an inline script, which the content security policy forbids
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      // a busy machine must not fail the build: a warning does, and this one is about time
      checks: { bundlerTimings: false },
      onLog(level, log) {
        // libraries say there which part of them a server may not render; nothing is rendered on a server here
        if (log.code === "MODULE_LEVEL_DIRECTIVE") return;
        if (level !== "debug" && level !== "info") throw new Error(`packages/ui: ${level}: ${log.message}`);
      },
    },
  },
});
