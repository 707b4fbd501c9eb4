import { CliError } from "../errors/cli-error.ts";
import { installed } from "../process/installed.ts";
import { projectScope } from "./project-scrubber.ts";

/**
 * A value as a recorder of this project writes it: the token that it became, or itself where no rule finds it. Where it
 * would be a token and the key is not here there is nothing to ask for: throws `REEN-REDACTION`.
 */
export function redactedValue(value: string, attribute: string, store: string): string {
  const { scrubber, origin } = projectScope({ store });
  const { text } = scrubber.scrub(value, { key: attribute });
  if (text !== value && origin === "temporary") throw noKey(attribute);
  return text;
}

/** A filter expression with each value as it was recorded. The collector's package reads and writes expressions. */
export async function redactedFilter(expression: string, store: string): Promise<string> {
  const { formatFilter, parseFilter, redactFilter } = await installed(
    () => import("@reenact/collector"),
    "filter expressions are read by the collector's package, which is not installed",
    "npm install @reenact/collector, or use --status, --user, --session and --at",
  );
  const { options, origin } = projectScope({ store });
  let asked: ReturnType<typeof parseFilter>;
  try {
    asked = parseFilter(expression);
  } catch (error) {
    throw new CliError("REEN-USAGE", `--filter: ${(error as Error).message}`, "reenact ls --help", { cause: error });
  }
  const { key, policy } = options;
  const redacted = formatFilter(redactFilter(asked, { key, ...(policy !== undefined && { policy }) }));
  if (redacted !== formatFilter(asked) && origin === "temporary") throw noKey("a value of --filter");
  return redacted;
}

const noKey = (what: string): CliError =>
  new CliError(
    "REEN-REDACTION",
    `${what} is recorded as a token, and the key that makes it is not here`,
    "set REENACT_REDACTION_KEY, or name the store that has it with --store",
  );
