import type { JsonObject } from "./json.ts";

const FIELD = /content-disposition: form-data; name="([^"\r\n]{1,200})"\r\n\r\n([^\r\n]{0,2000})\r\n--/gi;

/** The short one-line fields of a multipart form; files and long fields are left out. */
export function readForm(text: string): JsonObject {
  return Object.fromEntries([...text.matchAll(FIELD)].map(([, name = "", value = ""]) => [name, value]));
}
