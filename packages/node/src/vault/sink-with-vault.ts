import type { Scrubber } from "@reenact/capture";
import type { SpoolSink } from "../spool/spool-sink.ts";
import type { RecordingVault } from "./recording-vault.ts";

/** A sink that tells the vault which runs are written: only of those is anything kept. */
export function sinkWithVault(sink: SpoolSink, vault: RecordingVault): SpoolSink {
  return {
    ...sink,
    started(facts) {
      sink.started(facts);
      if (sink.written.last === facts.id) vault.started(facts.id);
    },
    over(run) {
      sink.over(run);
      vault.over(run);
    },
  };
}

/** What the agent calls sensitive is a secret for the vault too. */
export function tellKnown(scrubber: Scrubber, vault: RecordingVault): void {
  const addKnown = scrubber.addKnown.bind(scrubber);
  scrubber.addKnown = (value, type) => {
    addKnown(value, type);
    vault.addKnown(value, type);
  };
}
