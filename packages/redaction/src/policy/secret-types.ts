import { TYPES } from "../scan/hit.ts";

const SECRET: ReadonlySet<string> = new Set(["PEM", "JWT", "KEY", "SECRET", "AUTH"]);

/** What the rules find that says something of a person or a thing, and opens nothing. */
export const PERSONAL_TYPES = TYPES.filter((type) => !SECRET.has(type));
