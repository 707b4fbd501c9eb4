import { CUE } from "../detect/cue.ts";
import { isMediaName } from "../scrub/media.ts";
import { fieldContext } from "./field-context.ts";
import { isSecretName } from "./secret-name.ts";
import { maySayMore } from "./weak-name.ts";

/**
 * Names of one class judge every text alike: a verdict that is remembered holds for the class of its name, and for no
 * other. Names that are compared with the text itself are a class each.
 */
export function nameClass(name: string): string {
  if (name === "") return "";
  return isSecretName(name) || maySayMore(name) || isMediaName(name) ? `=${name}` : fieldContext(name).slot;
}

/** Whether a name says something of the value itself, and not of a version or the like. */
export const isPersonalName = (name: string): boolean => (fieldContext(name).cue.kinds & ~CUE.version) !== 0;

/** Whether a whole number may have to go because of its name. */
export const mayNameNumber = (name: string): boolean => isSecretName(name) || isPersonalName(name);
