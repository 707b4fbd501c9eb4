import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Signs = typeof import("./agent-signs.ts");
let signs: Signs;
let watch: ReturnType<Signs["watchAgentCode"]>;
beforeEach(async () => {
  vi.resetModules();
  Reflect.deleteProperty(globalThis, Symbol.for("reenact.seam/1"));
  signs = await import("./agent-signs.ts");
  watch = signs.watchAgentCode({ packages: ["openai", "@ai-sdk/"], texts: ["api.openai.com", "/chat/completions"] });
});
afterEach(() => watch.undo());

/** Whether a request is watched after so many that were. */
function isSeen(): boolean {
  for (let n = 0; n < 1000; n++) if (!signs.mayCallModel()) return false;
  return true;
}

test.each([
  ["file:///app/node_modules/openai/index.mjs", "", true],
  ["file:///app/node_modules/.pnpm/openai@7/node_modules/openai/index.mjs", "", true],
  ["C:\\app\\node_modules\\@ai-sdk\\google\\index.js", "", true],
  ["openai", "", true],
  ["@ai-sdk/google", "", true],
  ["file:///app/dist/bundle.js", 'baseURL = "https://api.openai.com/v1"', true],
  ["file:///app/dist/bundle.js", "plain code", false],
  ["file:///app/node_modules/openai-tokens/index.js", "", false],
  ["file:///app/node_modules/some-docs/index.js", "see api.openai.com", false],
  ["openai-tokens", "", false],
])("%s with %j is a sign: %s", (url, source, isSign) => {
  watch.asked?.(url);
  if (source !== "") watch.loaded?.(url, { format: "module", source });
  expect(isSeen()).toBe(isSign);
});
