import { join } from "node:path";

/** Where the build puts the web pages. */
export const UI_FOLDER = join(import.meta.dirname, "../dist/ui");
