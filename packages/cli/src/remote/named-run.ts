import { shellWords } from "../render/shell-words.ts";
import { shortId } from "../store/short-id.ts";
import { placeOptions } from "./place-options.ts";

/** How a further command names a run that was found by `reference`: its digits, or the link or file, with the options for its place. */
export function namedRun(id: string, reference: string, options: Parameters<typeof placeOptions>[0]): string {
  const name = /[./\\]/.test(reference) ? shellWords([reference]) : shortId(id, options.store, reference);
  return `${name}${placeOptions(options)}`;
}
