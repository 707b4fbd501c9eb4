import type { Dialect } from "@reenact/capture";
import { live } from "@reenact/capture/recorder";
import { createDialect, type Operations, PROVIDERS } from "@reenact/providers";
import { loadOwn } from "./load-own.ts";

/** Loaded when the first run starts, so that a program without one never pays for it. Synchronous, as everything at `exit` must be. */
export function redactionPackage(): typeof import("@reenact/redaction") {
  return live(() => loadOwn("@reenact/redaction", import.meta.url) as typeof import("@reenact/redaction"));
}

/** The wire formats that this recorder knows. The maps of each are loaded by its first call. */
export const dialects: readonly Dialect[] = PROVIDERS.map((provider) =>
  createDialect(provider, () => live(() => operationsOf(provider.name))),
);

function operationsOf(name: string): Operations {
  return (loadOwn(`@reenact/providers/${name}`, import.meta.url) as { operations: Operations }).operations;
}
