import { checkEndpoint } from "@reenact/node/send";
import { CliError } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import { isLoopback } from "./token-for.ts";
import { upAddress } from "./up-address.ts";

/** The longest that the start of a program may be delayed, milliseconds. */
const ANSWER_MS = 1500;

/**
 * What the environment of a program to record gets so that its runs go to the collector that `reenact up` runs over this
 * store: nothing where a destination is named, or the collector takes no records now. Only to this machine: a note in a
 * folder must not send anything further.
 */
export async function recordTo(store: string, told: (error: CliError) => void): Promise<Record<string, string>> {
  const env = environment();
  const there = upAddress(store);
  const url = there === null ? null : URL.parse(there);
  if (url === null || !isLoopback(url.host) || env["REENACT_ENDPOINT"]?.trim()) return {};
  const { promise: late, resolve } = Promise.withResolvers<{ is: "away" }>();
  const clock = setTimeout(() => resolve({ is: "away" }), ANSWER_MS);
  const target = { REENACT_ENDPOINT: url.origin };
  const found = await Promise.race([checkEndpoint({ ...env, ...target }), late]);
  clearTimeout(clock);
  if (found.is === "ready") return target;
  if (found.is === "key")
    told(
      new CliError(
        "REEN-UNAUTHORISED",
        `${url.origin}: ${found.why}; the run stays in ${store}`,
        "set REENACT_API_KEY to the key of reenact up",
      ),
    );
  return {};
}
