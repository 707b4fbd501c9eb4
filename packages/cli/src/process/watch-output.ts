import { CliError, messageOf } from "../errors/cli-error.ts";
import { EXIT } from "../errors/error-code.ts";

/** These go on without a reader: a program runs below them, or something waits for them. */
const LASTING: readonly string[] = ["run", "replay", "serve", "up"];

/**
 * The reader of the output may stop: `reenact ls | head -1`. A command ends then, with 0 and without a message; `run` and
 * `replay` still end as the program below them does. Any other trouble is one line.
 */
export function watchOutput(command: string | undefined): void {
  const lasts = command !== undefined && LASTING.includes(command);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      const fault = new CliError(
        "REEN-OUTPUT",
        `cannot write standard output: ${messageOf(error)}`,
        "free what it goes to",
      );
      process.stderr.write(fault.line);
      if (!lasts) process.exit(fault.exit);
    } else if (!lasts) process.exit(EXIT.ok);
  });
  // what is told there is no result of a command
  process.stderr.on("error", () => {});
}
