import type { Hit } from "../scan/hit.ts";
import { type LeafDetector, leafDetector } from "./detector.ts";
import { NATIONAL_RULES } from "./national/family-rules.ts";
import { namedValue } from "./named-value.ts";
import { inFileNames } from "./numbers/file-name.ts";
import { lowerSchemes } from "./secrets/authorization.ts";
import { wholeValue } from "./whole-value.ts";

const NONE: readonly Hit[] = [];
const one = (hit: Hit | null): readonly Hit[] => (hit === null ? NONE : [hit]);

/** Detectors that look at a leaf as a whole, in this order, behind those that look around a stop. */
export const LEAF_DETECTORS: readonly LeafDetector[] = [
  leafDetector({
    name: "scheme in small letters",
    finds: "`bearer …`, `basic …`",
    validator: "as for a bare scheme",
    rules: ["auth.scheme"],
    find: lowerSchemes,
  }),
  leafDetector({
    name: "file name",
    finds: "numbers in names of files and folders, read with spaces for what joins their parts",
    validator: "as for a number; of folders cards and account numbers alone",
    rules: ["card", "iban", "ssn", ...NATIONAL_RULES, "id.named", "passport", "birth-date", "phone.international"],
    find: (text, area, read) => (area.fileNames.length === 0 ? NONE : inFileNames(text, area, read)),
  }),
  leafDetector({
    name: "whole value",
    finds: "names of persons, addresses, postal codes, dates of birth and codes, by the name above the leaf",
    validator: "letters alone for a person, words and a number for an address, a date; no word for nothing",
    rules: ["person", "address", "birth-date", "auth.code"],
    find: (text, { from, to, field }) => (field.cue.kinds === 0 ? NONE : one(wholeValue(text, from, to, field))),
  }),
  leafDetector({
    name: "named value",
    finds: "the whole leaf under the name of a number, although its check digits fail",
    validator: "the length of its kind, four digits, nothing but letters, digits and separators",
    rules: ["birth-date", "card", "iban", "bank-account", "ssn", "id.named", "passport", "licence"],
    find: (text, { from, to, field, hits }) => {
      if (field.cue.kinds === 0) return NONE;
      const named = namedValue(text, from, to, field);
      const isCovered = named !== null && hits.some((hit) => hit.start <= named.start && hit.end >= named.end);
      return isCovered ? NONE : one(named);
    },
  }),
];
