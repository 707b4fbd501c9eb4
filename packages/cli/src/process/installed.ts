import { errorCode } from "@reenact/envelope";
import { CliError } from "../errors/cli-error.ts";

/**
 * Loads an optional package. Throws `REEN-CANNOT-START` if it is not installed: `without` says what
 * that means here, `next` what to do.
 */
export async function installed<T>(
  load: () => Promise<T>,
  without: string,
  next = "npm install @reenact/collector",
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (errorCode(cause) !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new CliError("REEN-CANNOT-START", without, next, { cause });
  }
}
