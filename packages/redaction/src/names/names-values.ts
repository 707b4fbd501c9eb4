import { CUE } from "../detect/cue.ts";
import { fieldContext } from "./field-context.ts";
import { isSecretName } from "./secret-name.ts";
import { maySayMore } from "./weak-name.ts";

/** Whether a rule may replace values because they stand under this name. */
export function namesValues(name: string): boolean {
  return isSecretName(name) || maySayMore(name) || (fieldContext(name).cue.kinds & ~CUE.version) !== 0;
}
