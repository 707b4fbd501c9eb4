import type { RebuildProgress } from "../rebuild/rebuild-catalog.ts";
import type { ForwardState } from "../forward/forwarder.ts";
import type { JournalStatus } from "../journal/journal.ts";
import type { Metric, Sample } from "./metrics.ts";
import type { ReceiverCounts } from "../receive/receiver.ts";
import { STATUS, type StatusName } from "../receive/status.ts";

const STATUS_NAMES = Object.keys(STATUS) as StatusName[];

/** The state of a running collector's parts, for `/metrics`. */
export interface CollectorState {
  readonly version: string;
  readonly ready: boolean;
  readonly storeMissing: boolean;
  readonly catalogMissing: boolean;
  /** also once the catalog has every row: a pack that could not be read is not to be forgotten then */
  readonly rebuilt: RebuildProgress | null;
  readonly received: ReceiverCounts;
  readonly journal: JournalStatus;
  readonly runs: { readonly open: number; readonly sealing: number; readonly spans: number };
  readonly sealed: {
    readonly runs: number;
    readonly packs: number;
    readonly storedBytes: number;
    readonly failures: number;
  };
  readonly swept: { readonly runs: number; readonly failures: number };
  readonly forwards: readonly ForwardState[];
}

/** Every metric there is; OPERATIONS.md says what to watch. */
export function metricsOf(state: CollectorState): Metric[] {
  const { received, journal, runs, sealed, swept } = state;
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    gauge("reenact_up", "1 while the collector is ready, with its version", [
      { value: state.ready ? 1 : 0, labels: { version: state.version } },
    ]),
    gauge("reenact_store_up", "1 while the store is owned and answers", state.storeMissing ? 0 : 1),
    gauge("reenact_catalog_up", "1 once the catalog has every row", state.catalogMissing ? 0 : 1),
    ...rebuildMetrics(state.rebuilt),
    counter("reenact_received_requests_total", "requests that brought spans, refused ones included", received.requests),
    counter("reenact_received_spans_total", "spans that were acknowledged and are on disk", received.spans),
    counter(
      "reenact_rejected_spans_total",
      "spans that can never be kept; their senders were told",
      received.rejectedSpans,
    ),
    {
      name: "reenact_refused_requests_total",
      kind: "counter",
      help: "refused requests by reason",
      // those that are 0, too: Prometheus sees no increase in a series that begins with 1
      samples: STATUS_NAMES.map((status) => ({ value: received.refused[status] ?? 0, labels: { status } })),
    },
    gauge("reenact_pending_bytes", "received and not yet on disk", received.pendingBytes),
    counter("reenact_journal_commits_total", "syncs of the journal", journal.commits),
    counter("reenact_journal_entries_total", "requests written to the journal", journal.entries),
    counter(
      "reenact_journal_lost_commits_total",
      "commits that the disk refused; senders got 503",
      journal.lostCommits,
    ),
    gauge("reenact_journal_bytes", "held by the journal until they are sealed and forwarded", journal.storedBytes),
    gauge("reenact_journal_damaged_bytes", "bytes that could not be read again", journal.damagedBytes),
    gauge("reenact_journal_refusing", "1 while the disk takes nothing", journal.refusing ? 1 : 0),
    ...(journal.freeBytes === null
      ? []
      : [gauge("reenact_disk_free_bytes", "free for the journal", journal.freeBytes)]),
    gauge("reenact_open_runs", "runs that are not sealed", runs.open),
    gauge("reenact_sealing_runs", "runs that are being sealed", runs.sealing),
    gauge("reenact_open_spans", "spans of runs that are not sealed", runs.spans),
    counter("reenact_sealed_runs_total", "revisions of runs that were sealed", sealed.runs),
    counter("reenact_sealed_packs_total", "packs that were written to the store", sealed.packs),
    counter("reenact_stored_bytes_total", "bytes of those packs", sealed.storedBytes),
    counter(
      "reenact_seal_failures_total",
      "attempts to seal or to store that failed and are tried again",
      sealed.failures,
    ),
    counter("reenact_swept_runs_total", "runs that expired", swept.runs),
    counter("reenact_sweep_failures_total", "sweeps that failed", swept.failures),
    ...forwardMetrics(state.forwards),
    gauge("process_resident_memory_bytes", "resident memory", rss),
    counter("process_cpu_seconds_total", "processor time of all threads, seconds", (user + system) / 1e6),
  ];
}

function rebuildMetrics(progress: RebuildProgress | null): Metric[] {
  if (progress === null) return [];
  const { packs, of, runs, unreadable } = progress;
  return [
    gauge("reenact_catalog_rebuilt_packs", "packs whose rows were made again", packs),
    ...(of === null ? [] : [gauge("reenact_catalog_packs", "packs in the store, to make rows from", of)]),
    gauge("reenact_catalog_rebuilt_runs", "rows that were made again", runs),
    gauge("reenact_catalog_unreadable_packs", "packs of which some run cannot be read", unreadable),
  ];
}

function forwardMetrics(forwards: readonly ForwardState[]): Metric[] {
  const each = (value: (state: ForwardState) => number): Sample[] =>
    forwards.map((state) => ({ value: value(state), labels: { destination: state.name } }));
  return [
    counter(
      "reenact_forwarded_spans_total",
      "spans that a destination took",
      each(({ sent }) => sent),
    ),
    counter(
      "reenact_forward_rejected_spans_total",
      "spans that it will never take, by its own word",
      each(({ rejected }) => rejected),
    ),
    counter(
      "reenact_forward_dead_spans_total",
      "spans put among the dead letters",
      each(({ deadLettered }) => deadLettered),
    ),
    counter(
      "reenact_forward_dropped_spans_total",
      "spans lost to it for want of room",
      each(({ dropped }) => dropped),
    ),
    counter(
      "reenact_forward_retries_total",
      "requests that were tried again",
      each(({ retries }) => retries),
    ),
    gauge(
      "reenact_forward_lag_seconds",
      "age of the oldest spans it has not got",
      each(({ lagMs }) => lagMs / 1000),
    ),
    gauge(
      "reenact_forward_behind_bytes",
      "received and not yet given to it",
      each(({ behindBytes }) => behindBytes),
    ),
    gauge(
      "reenact_forward_failing",
      "1 while its last request failed",
      each(({ state }) => (state === "working" ? 0 : 1)),
    ),
  ];
}

const samplesOf = (value: number | readonly Sample[]) => (typeof value === "number" ? [{ value }] : value);
const counter = (name: string, help: string, value: number | readonly Sample[]): Metric => ({
  name,
  kind: "counter",
  help,
  samples: samplesOf(value),
});
const gauge = (name: string, help: string, value: number | readonly Sample[]): Metric => ({
  name,
  kind: "gauge",
  help,
  samples: samplesOf(value),
});
