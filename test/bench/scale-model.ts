/** What was counted on one collector, of one kind of run. */
export interface MeasuredRun {
  /** of its requests, not compressed */
  readonly wireBytes: number;
  /** in a pack */
  readonly storedBytes: number;
  readonly catalogBytes: number;
  /** of a collector that does everything: to receive, assemble, seal and store it */
  readonly cpuSeconds: number;
}

export interface ScaleAssumptions {
  readonly runsPerDay: number;
  /** rate of the busiest time, for each of the average */
  readonly peak: number;
  /** share of a processor that is in use then */
  readonly use: number;
  /** shares of all runs; the rest is in `short` */
  readonly sampleShare: number;
  readonly keepShare: number;
  readonly shortDays: number;
  readonly sampleDays: number;
  /** how long runs have been kept */
  readonly keepDays: number;
  readonly partitions: number;
  readonly replicas: number;
  readonly topicHours: number;
  readonly packBytes: number;
  readonly packSeconds: number;
}

/** The shares are a guess; the rest are the default settings. */
export const ASSUMED: ScaleAssumptions = {
  runsPerDay: 1e6,
  peak: 3,
  use: 0.5,
  sampleShare: 0.05,
  keepShare: 0.02,
  shortDays: 30,
  sampleDays: 180,
  keepDays: 365,
  partitions: 12,
  replicas: 3,
  topicHours: 24,
  packBytes: 64 * 1024 ** 2,
  packSeconds: 60,
};

const DAY = 86_400;
/** Runs of two classes do not share a pack, and neither do those of two partitions. */
const CLASSES = 3;

export interface ScaleSizes {
  /** at the busiest time */
  readonly runsPerSecond: number;
  readonly bytesPerSecond: number;
  /** of all collectors together */
  readonly processors: number;
  /** of all brokers together */
  readonly topicBytes: number;
  /** runs that are in store and catalog at a time */
  readonly keptRuns: number;
  readonly storeBytes: number;
  readonly catalogBytes: number;
  /** at most */
  readonly packsPerDay: number;
}

/** What so many runs a day need. */
export function sizesOf(run: MeasuredRun, given: ScaleAssumptions = ASSUMED): ScaleSizes {
  const { runsPerDay, sampleShare, keepShare } = given;
  const runsPerSecond = (runsPerDay / DAY) * given.peak;
  const shortShare = 1 - sampleShare - keepShare;
  const days = shortShare * given.shortDays + sampleShare * given.sampleDays + keepShare * given.keepDays;
  const keptRuns = runsPerDay * days;
  const byAge = Math.min(runsPerDay, given.partitions * CLASSES * (DAY / given.packSeconds));
  return {
    runsPerSecond,
    bytesPerSecond: runsPerSecond * run.wireBytes,
    processors: (runsPerSecond * run.cpuSeconds) / given.use,
    topicBytes: runsPerDay * (given.topicHours / 24) * run.wireBytes * given.replicas,
    keptRuns,
    storeBytes: keptRuns * run.storedBytes,
    catalogBytes: keptRuns * run.catalogBytes,
    packsPerDay: Math.ceil((runsPerDay * run.storedBytes) / given.packBytes + byAge),
  };
}
