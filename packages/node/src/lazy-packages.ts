import { createRequire } from "node:module";
import { type Dialect, live } from "@reenact/capture";

const require = createRequire(import.meta.url);

/** Loaded when the first run is born: a program without one never pays for it. Synchronous, as at `exit` all must be. */
export function redactionPackage(): typeof import("@reenact/redaction") {
  return live(() => require("@reenact/redaction") as typeof import("@reenact/redaction"));
}

/** Dialects that are loaded by the first call that could be theirs. */
export function lazyDialects(): Dialect[] {
  return [
    lazyDialect("openai", () => (require("@reenact/instrumentation-openai") as typeof import("@reenact/instrumentation-openai")).openai),
    lazyDialect("anthropic", () => (require("@reenact/instrumentation-anthropic") as typeof import("@reenact/instrumentation-anthropic")).anthropic),
  ];
}

function lazyDialect(name: string, load: () => Dialect): Dialect {
  let loaded: Dialect | null = null;
  return { name, recognise: (head) => (loaded ??= live(load)).recognise(head) };
}
