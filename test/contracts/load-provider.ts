import type { Dialect } from "@reenact/capture";
import { createDialect, type Operations, type Provider, PROVIDERS } from "@reenact/providers";

export interface LoadedProvider {
  readonly provider: Provider;
  readonly operations: Operations;
  readonly dialect: Dialect;
}

/** Every provider of the registry with its operations. */
export const LOADED: readonly LoadedProvider[] = await Promise.all(
  PROVIDERS.map(async (provider) => {
    const { operations } = (await import(`@reenact/providers/${provider.name}`)) as { operations: Operations };
    return { provider, operations, dialect: createDialect(provider, () => operations) };
  }),
);
