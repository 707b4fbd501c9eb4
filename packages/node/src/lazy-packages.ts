import { type Dialect, live } from "@reenact/capture";
import { loadOwn } from "./own-code/load-own.ts";

/** Loaded when the first run is born: a program without one never pays for it. Synchronous, as at `exit` all must be. */
export function redactionPackage(): typeof import("@reenact/redaction") {
  return live(() => loadOwn("@reenact/redaction", import.meta.url) as typeof import("@reenact/redaction"));
}

/** The wire formats that this recorder knows, each loaded by the first call that could be theirs. */
export const dialects: readonly Dialect[] = [
  lazyDialect(
    "openai",
    () =>
      (
        loadOwn(
          "@reenact/instrumentation-openai/dialect",
          import.meta.url,
        ) as typeof import("@reenact/instrumentation-openai/dialect")
      ).openai,
  ),
  lazyDialect(
    "anthropic",
    () =>
      (
        loadOwn(
          "@reenact/instrumentation-anthropic/dialect",
          import.meta.url,
        ) as typeof import("@reenact/instrumentation-anthropic/dialect")
      ).anthropic,
  ),
];

function lazyDialect(name: string, load: () => Dialect): Dialect {
  let loaded: Dialect | null = null;
  return { name, recognise: (head) => (loaded ??= live(load)).recognise(head) };
}
