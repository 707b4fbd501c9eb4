import { CUE } from "../detect/cue.ts";
import { fieldContext } from "./field-context.ts";
import { isSecretName } from "./secret-name.ts";
import { maySayMore } from "./weak-name.ts";

/** Whether a column's name says something about what stands below it. */
export function namesValues(name: string): boolean {
  return isSecretName(name) || maySayMore(name) || (fieldContext(name).cue.kinds & ~CUE.version) !== 0;
}
