import { AMBIENT_RULES } from "./ambient-rules.ts";
import { RECORDING_RULES } from "./recording-rules.ts";
import { REPLAYING_RULES } from "./replaying-rules.ts";
import type { Rule } from "./rule.ts";

/** Each rule of order that an edit can take out, with the edit. */
export const RULES: readonly Rule[] = [...RECORDING_RULES, ...AMBIENT_RULES, ...REPLAYING_RULES];
