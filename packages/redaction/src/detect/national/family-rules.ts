import { FAMILIES } from "./families.ts";

/** The id of the rule of a family of national numbers: `id.de.steuer-id` for `de/steuer-id`. */
export const ruleOfFamily = (family: string): string => `id.${family.replace("/", ".")}`;

export const NATIONAL_RULES: readonly string[] = FAMILIES.map(({ id }) => ruleOfFamily(id));
