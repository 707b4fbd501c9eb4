import type { AllowList } from "../policy/allow-list.ts";
import { redactedJwt } from "../detect/secrets/jwt.ts";
import type { Hit } from "../scan/hit.ts";
import type { Tokenizer } from "./tokenizer.ts";
import type { PathPolicy } from "../policy/path-policy.ts";
import { shaped } from "./shape.ts";

/** What becomes of a value of one type: a token that keeps equal values equal, a word, nothing. */
export type Action = "token" | "mask" | "drop";

/** The text that replaces a hit; null: the value stays. */
export type Replace = (value: string, hit: Pick<Hit, "type" | "canonical">, path: string | null) => string | null;

/** The type of what a policy denies: no list of values excuses it. */
export const DENIED = "FIELD";
const MASK = /^[A-Z][A-Z_]{0,31}_MASKED$/;
const SHAPED = /^u_[A-Z][A-Z_]{0,31}_[a-z]{4}_[a-z]{16}@redacted\.invalid$/;

/** Whether a whole text is what a mask or a shape left behind: it is never replaced again. */
export function isReplaced(text: string): boolean {
  return text.length <= 96 && (MASK.test(text) || SHAPED.test(text));
}

export function createReplace(from: {
  tokenizer: Tokenizer;
  allow: AllowList;
  actions: Readonly<Partial<Record<string, Action | undefined>>>;
  paths: PathPolicy | null;
}): Replace {
  const { tokenizer, allow, actions, paths } = from;
  return (value, hit, path) => {
    if ((hit.type !== DENIED && allow.has(value, hit)) || isReplaced(value)) return null;
    const action = actions[hit.type];
    if (action === "drop") return "";
    if (action === "mask") return `${hit.type}_MASKED`;
    const token = tokenizer.token(hit.type, hit.canonical ?? value.normalize("NFC"));
    if (hit.type === "JWT") return redactedJwt(value, token) ?? token;
    const shape = paths?.shapeOf(path, hit.type) ?? null;
    return shape === null ? token : shaped(shape, value, token, hit.type);
  };
}
