import { loadScopeScrubber, readConfig, type ScopeScrubber } from "@reenact/node";
import { CliError } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";

export type ProjectScrubber = ScopeScrubber["scrubber"];

/** The redaction of this project, to look at texts with: no key is made. `config` (a flag) comes before the environment. */
export function projectScope(options: { store: string; config?: string }): ScopeScrubber {
  const found = loadScopeScrubber({
    env: environment(),
    folder: options.store,
    configFile: options.config ?? readConfig().config.configFile,
    policy: undefined,
    temporary: true,
  });
  if ("error" in found)
    throw new CliError("REEN-REDACTION", found.error, "correct it, or name another file with --config");
  return found;
}

export const projectScrubber = (options: { store: string; config?: string }): ProjectScrubber =>
  projectScope(options).scrubber;
