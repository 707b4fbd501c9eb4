import { fileURLToPath } from "node:url";

/** The `reenact` command itself. This file lies one folder below package.json, as built code does. */
export const binPath = fileURLToPath(new URL("../bin/reenact.js", import.meta.url));
