import { homedir } from "node:os";
import { join } from "node:path";

/** Where real servers are installed once, outside the checkout: REENACT_SERVICES, or a folder of the user's cache. */
export const serviceCache = (): string =>
  process.env["REENACT_SERVICES"] ?? join(homedir(), ".cache", "reenact-services");
