import { isMediaName } from "./media.ts";
import { placeOf } from "./place.ts";
import { isSecretName } from "./secret-name.ts";
import { maySayMore } from "./weak-name.ts";

/**
 * Names of one class judge every text alike: a verdict that is remembered holds for the class of its name, and for no
 * other. Names that are compared with the text itself are a class each.
 */
export function nameClass(name: string): string {
  if (name === "") return "";
  return isSecretName(name) || maySayMore(name) || isMediaName(name) ? `=${name}` : placeOf(name).slot;
}
