import type { ArchivedRun, RunArchive, UnreadablePack } from "@reenact/collector/store";
import { count, runRow } from "@reenact/view";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { isListed, type Manifest } from "../store/run-files.ts";
import { shortIds } from "../render/short-ids.ts";
import { isUnderWay } from "../store/under-way.ts";
import { PROBE } from "./probe-run.ts";
import type { RemoteRun, RemoteRuns, RunsQuery } from "./remote-runs.ts";

const NANO = 1_000_000n;
const startedOf = ({ entry }: ArchivedRun): number => Number(BigInt(entry.started) / NANO);

/** The runs in the packs of a store, with no collector running. */
export function archiveRuns(archive: RunArchive, place: string): RemoteRuns {
  const known = new Map<string, ArchivedRun>();
  const asRemote = (found: ArchivedRun): RemoteRun => {
    known.set(found.entry.run, found);
    const { run, session = null, instance = null, flags } = found.entry;
    return { run, started: startedOf(found), session, instance, class: found.class, flags };
  };
  const named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw refusal(error, place);
    }
  };

  return {
    place,
    list: (query) =>
      named(async () => {
        if (query.filter !== undefined || query.after !== undefined)
          throw new CliError(
            "REEN-USAGE",
            `${place} has no catalog: --filter and --after need a collector`,
            "--server",
          );
        const { runs, unreadable } = await archive.find(({ status }) => query.statuses?.includes(status) ?? true);
        tell(unreadable);
        const ordered = runs
          .filter((each) => query.between === undefined || startedOf(each) <= query.between.to)
          .toSorted((a, b) => startedOf(b) - startedOf(a));
        const rows = [];
        for (const each of ordered) {
          if (rows.length === query.limit) break;
          const { header, manifest } = await archive.manifest(each);
          if (fits(manifest, query)) rows.push(runRow({ header: { ...header, class: each.class }, manifest }));
        }
        return { rows, next: null, count: null };
      }),
    find: (prefix) =>
      named(async () => {
        const { runs, unreadable } = await archive.find(({ run }) => run.startsWith(prefix));
        const [first] = runs;
        if (first !== undefined && runs.length === 1) return asRemote(first);
        tell(unreadable);
        if (runs.length > 1) {
          const ids = runs.map(({ entry }) => entry.run);
          const some = ids.slice(0, 4).map(shortIds(ids, 12));
          throw new CliError(
            "REEN-AMBIGUOUS",
            `${prefix} names ${runs.length} runs in ${place}: ${some.join(", ")}`,
            "type more of the id",
          );
        }
        throw new CliError(
          "REEN-NO-RUN",
          `no run ${prefix} in ${place}${unreadable.length > 0 ? `, of which ${count(unreadable.length, "pack")} cannot be read` : ": it never came, or it has expired"}`,
          "check bucket and prefix; a run that is still open is only in its collector: --server <url>",
        );
      }),
    related: ({ run, started, session, instance }) =>
      named(async () => {
        if (session === null && instance === null) return [];
        const { runs } = await archive.find(
          (entry) =>
            entry.run !== run &&
            ((instance !== null && entry.instance === instance) ||
              (session !== null && entry.session === session && BigInt(entry.started) <= BigInt(started) * NANO)),
        );
        return runs.toSorted((a, b) => startedOf(a) - startedOf(b)).map(asRemote);
      }),
    envelope: ({ run }) =>
      named(async () => {
        const found = known.get(run) ?? (await archive.find((entry) => entry.run === run)).runs[0];
        if (found === undefined) throw new CliError("REEN-NO-RUN", `no run ${run} in ${place}`, "reenact ls");
        return archive.envelope(found);
      }),
    close: () => archive.close(),
  };
}

function tell(unreadable: readonly UnreadablePack[]): void {
  for (const { key, error } of unreadable)
    process.stderr.write(new CliError("REEN-DAMAGED", `pack ${key}: ${messageOf(error)}`, "restore the object").line);
}

function fits(manifest: Manifest, { user, session, between, replays }: RunsQuery): boolean {
  return (
    (replays || (isListed(manifest) && manifest.service.name !== PROBE)) &&
    (user === undefined || manifest.user === user) &&
    (session === undefined || manifest.session === session) &&
    (between === undefined || isUnderWay(manifest, between))
  );
}

const STORE_CODES: Readonly<Record<string, "REEN-STORE" | "REEN-UNAUTHORISED" | "REEN-EXPIRED" | "REEN-NO-STORE">> = {
  NO_BUCKET: "REEN-NO-STORE",
  DENIED: "REEN-UNAUTHORISED",
  NO_OBJECT: "REEN-EXPIRED",
  UNAVAILABLE: "REEN-STORE",
  UNSAFE: "REEN-STORE",
};

/** A store's error under our name; an envelope's names the run and the bytes. */
export function refusal(error: unknown, place: string): CliError {
  const { code, next } = error as { code?: unknown; next?: unknown };
  const ours =
    error instanceof Error && error.name === "StoreError" ? (STORE_CODES[String(code)] ?? "REEN-STORE") : null;
  if (ours === null) return CliError.from(error, place);
  const advice: Partial<Record<typeof ours, string>> = {
    "REEN-NO-STORE": "correct bucket and prefix, or the folder",
    "REEN-UNAUTHORISED":
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, of an account that may list and read",
    "REEN-STORE":
      code === "UNSAFE" ? "npm install @aws-sdk/client-s3 @aws-sdk/lib-storage" : "check --s3-endpoint and the network",
  };
  return new CliError(ours, `${place}: ${messageOf(error)}`, advice[ours] ?? String(next), { cause: error });
}
