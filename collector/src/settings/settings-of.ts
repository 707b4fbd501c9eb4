import type { CollectorConfig } from "../config-schema.ts";
import type { Keys } from "../receive/keys.ts";
import type { RetentionRule } from "../retain/retention-rules.ts";
import type { Settings } from "./settings-schema.ts";

/** The settings as a tenant's administrator may see them: without the keys of others, and without a secret. */
export function settingsOf(
  config: CollectorConfig,
  { rules, keys, tenant }: { rules: readonly RetentionRule[]; keys: Keys; tenant: string },
): Settings {
  const { short, sample, sampleShare, sweepEvery, rules: rulesFile } = config.retention;
  return {
    retention: {
      short,
      sample,
      sampleShare,
      sweepEvery,
      local: config.local ?? null,
      rulesFile: rulesFile ?? null,
      rules: rules.map(({ name, class: kept, when }) => ({ name, class: kept, when: JSON.stringify(when) })),
    },
    destinations: config.forward.map(({ name, url, view, filter, classes, redaction }) => ({
      name,
      url: withoutQuery(url),
      view,
      filter: filter ?? null,
      classes: classes ?? null,
      isRedacted: redaction !== undefined,
    })),
    keys: {
      required: keys.required,
      file: config.keys ?? null,
      keys: keys.list(tenant).map(({ key, scopes, quota }) => ({
        name: key ?? "",
        scopes: [...scopes],
        requestsPerSecond: quota?.requestsPerSecond ?? null,
        bytesPerSecond: quota?.bytesPerSecond ?? null,
      })),
    },
  };
}

/** A key of the destination may stand there. */
function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
