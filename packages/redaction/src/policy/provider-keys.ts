import { AI_KEYS } from "../detect/keys/ai-keys.ts";
import { CLOUD_KEYS } from "../detect/keys/cloud-keys.ts";
import { CODE_KEYS } from "../detect/keys/code-keys.ts";
import type { KeyFormat } from "../detect/keys/key-format.ts";
import { SERVICE_KEYS } from "../detect/keys/service-keys.ts";

/** Every format of a provider's key, longer marks first: of two that match, the more exact one counts. */
export const PROVIDER_KEYS: readonly KeyFormat[] = [...AI_KEYS, ...CLOUD_KEYS, ...CODE_KEYS, ...SERVICE_KEYS].sort(
  (a, b) => b[2].length - a[2].length,
);
