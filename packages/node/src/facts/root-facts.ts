import { dirname, resolve } from "node:path";
import type { Scrubber } from "@reenact/capture";
import { environmentNames } from "@reenact/capture/recorder";
import type { Config } from "../config/config.ts";
import { environmentFacts, nameFacts } from "./environment-facts.ts";
import { gitRevision } from "./git-revision.ts";
import { lockfileDigest } from "./lockfile-digest.ts";
import { processFacts } from "./process-facts.ts";
import { recorderVersion } from "./recorder-version.ts";
import { sdkVersions } from "./sdk-versions.ts";
import { workingFolder } from "./working-folder.ts";

export interface RootFactsSource {
  instance: string;
  config: Config;
  service: { name: string; version?: string };
  scrubber: Scrubber;
  environmentReads(): ReadonlyMap<string, string | undefined>;
}

/** Facts that are known while a run goes on, for the case that the process dies: nothing that reads a file. */
export function earlyRootFacts(source: RootFactsSource): Record<string, unknown> {
  const { instance, config, service } = source;
  return {
    instance,
    ...(config.launch === null ? {} : { launch: config.launch }),
    service,
    process: processFacts(),
    environment: environmentFacts(source.environmentReads(), source.scrubber),
    ...nameFacts(environmentNames(), source.scrubber),
    recorder: recorderVersion(),
  };
}

/** How the process ended; `drained`: since it had nothing more to do. */
export interface ProcessExit {
  readonly code: number;
  readonly drained: boolean;
}

/** What `reenact.root` says of the process; taken when a run ends. A part that fails is left out. */
export function rootFacts(source: RootFactsSource, exit: ProcessExit | null): Record<string, unknown> {
  const cwd = workingFolder();
  const entry = process.argv[1];
  const parts: Record<string, () => unknown> = {
    process: () => ({
      ...processFacts(),
      ...(exit === null ? {} : { exitCode: exit.code, signal: null, ...(exit.drained && { drained: true }) }),
    }),
    git: () => gitRevision(cwd),
    lockfile: () => lockfileDigest(cwd),
    sdks: () => sdkVersions(entry === undefined ? cwd : dirname(resolve(entry))),
  };
  const facts = earlyRootFacts(source);
  for (const [name, read] of Object.entries(parts)) {
    try {
      const value = read();
      if (value !== null) facts[name] = value;
    } catch {
      // an unreadable folder costs the fact, not the run
    }
  }
  return facts;
}
