import { readFileSync } from "node:fs";
import { type Envelope, readEnvelope, type ReadOptions } from "@reenact/envelope/file";
import { runRow } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import { rehydrate } from "./rehydrate.ts";
import { leftPacks } from "../remote/left-packs.ts";
import { openRemote } from "../remote/open-remote.ts";
import type { RemoteOptions } from "../remote/remote-options.ts";
import { remoteReference } from "../remote/remote-reference.ts";
import type { RemoteRun, RemoteRuns } from "../remote/remote-runs.ts";
import { standingServer } from "../remote/standing-server.ts";
import { listRuns, type RunFile } from "./run-files.ts";
import { findRun } from "./run-reference.ts";
import { shortIds } from "../render/short-ids.ts";
import { shortId } from "./short-id.ts";
import { shellWords } from "../render/shell-words.ts";
import { belonging } from "../render/terminal-text.ts";
import { sealingOf } from "./background-sealing.ts";
import { leftOf, recordingOf } from "./unread-runs.ts";
import { waitingRun } from "./waiting-run.ts";

const NOT_OK = ["failed", "aborted", "suspended"];

interface Where extends RemoteOptions {
  store: string;
}

type Found =
  | { readonly is: "file"; readonly file: RunFile }
  | { readonly is: "remote"; readonly from: RemoteRuns; readonly run: RemoteRun };

/**
 * A run by its name: where a link, `--from` or `--server` says; else in the local store, and in the collector that stands
 * beside it. The caller closes `from` of a remote one.
 */
export async function find(reference: string, where: Where): Promise<Found> {
  const remote = remoteReference(reference, where);
  if (remote !== null) return findRemote(await openRemote(remote.address, where), remote.run);
  try {
    return await findNear(reference, where);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "REEN-NO-RUN") throw error;
    throw waitingRun(where.store, reference) ?? error;
  }
}

async function findNear(reference: string, where: Where): Promise<Found> {
  const up = standingServer(where.store);
  if (up === null || /[./\\]/.test(reference)) return { is: "file", file: findHere(where.store, reference) };
  const from = await openRemote(up, where);
  if (/^@(last|failed|-\d{1,6})$/.test(reference)) return byPosition(from, where.store, reference);
  let file: RunFile;
  try {
    file = findRun(where.store, reference);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "REEN-NO-RUN") throw error;
    return findRemote(from, reference);
  }
  await refuseAnother(reference.toLowerCase(), file, from);
  return { is: "file", file };
}

/** Digits that begin a run here may begin another one there. A collector that does not answer says nothing against ours. */
async function refuseAnother(prefix: string, { header }: RunFile, from: RemoteRuns): Promise<void> {
  if (prefix.length === 32 || !header.run.startsWith(prefix)) return;
  let there: string;
  try {
    there = (await from.find(prefix)).run;
  } catch (error) {
    if (error instanceof CliError && error.code === "REEN-AMBIGUOUS") throw error;
    return;
  }
  if (there === header.run) return;
  const [here, other] = [header.run, there].map(shortIds([header.run, there], 12));
  throw new CliError(
    "REEN-AMBIGUOUS",
    `${prefix} names a run here, ${here}, and another one in ${from.place}, ${other}`,
    "type more of the id",
  );
}

/** What is not here may have been sent to where this environment sends, or to a collector that has stopped. */
function findHere(store: string, reference: string): RunFile {
  try {
    return findRun(store, reference);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "REEN-NO-RUN") throw error;
    const endpoint = environment()["REENACT_ENDPOINT"];
    const packs = endpoint ? null : leftPacks(store);
    const place = endpoint ? ["--server", endpoint] : packs === null ? null : ["--from", packs];
    const left = endpoint ? null : leftOf(store);
    const notes = [recordingOf(store), sealingOf(store), left?.what ?? null].filter((note) => note !== null);
    const what = [error.message, ...notes];
    const next = place === null ? error.next : `reenact ls ${shellWords(place)}`;
    throw new CliError(error.code, what.join("; "), left?.next ?? next, { cause: error });
  }
}

/** Closes `from` where there is nothing. */
export async function findRemote(from: RemoteRuns, name: string): Promise<Found & { is: "remote" }> {
  try {
    if (!name.startsWith("@")) return { is: "remote", from, run: await from.find(name.toLowerCase()) };
    const { nth, statuses } = positionOf(name);
    const { rows } = await from.list({ replays: false, limit: nth, statuses });
    const row = rows[nth - 1];
    if (row === undefined) throw new CliError("REEN-NO-RUN", `no run ${name} in ${from.place}`, "reenact ls");
    return { is: "remote", from, run: await from.find(row.run) };
  } catch (error) {
    from.close();
    throw error;
  }
}

/** `@…` where there are runs here and in a collector. */
async function byPosition(from: RemoteRuns, store: string, name: string): Promise<Found> {
  const { nth, statuses } = positionOf(name);
  const here = listRuns(store).runs.filter(
    ({ header, manifest }) => manifest.replay === undefined && (statuses?.includes(header.status) ?? true),
  );
  const ids = new Set(here.map(({ header }) => header.run));
  const { rows } = await from.list({ replays: false, limit: nth, statuses });
  const all = [
    ...here.map((file) => ({ started: runRow(file).started, file, run: file.header.run })),
    ...rows.filter(({ run }) => !ids.has(run)).map(({ started, run }) => ({ started, file: null, run })),
  ];
  const found = all.toSorted((a, b) => (a.started < b.started ? 1 : -1))[nth - 1];
  if (found === undefined)
    throw new CliError("REEN-NO-RUN", `no run ${name} in ${store} and in ${from.place}`, "reenact ls");
  return found.file === null ? findRemote(from, found.run) : { is: "file", file: found.file };
}

function positionOf(name: string): { nth: number; statuses: readonly string[] | undefined } {
  const nth = Number(/^@-(\d{1,6})$/.exec(name)?.[1] ?? 1);
  return { nth, statuses: name === "@failed" ? NOT_OK : undefined };
}

export interface OpenedRun {
  readonly run: Envelope;
  /** the whole `.reenact` file */
  readonly bytes: Uint8Array;
  /** for people: where it lies */
  readonly place: string;
  /** as they are now, where it lies */
  readonly class: string;
  readonly flags: readonly string[];
}

/** Reads a run, wherever it is; nothing is written. */
export async function openRun(reference: string, where: Where, read: ReadOptions = {}): Promise<OpenedRun> {
  const found = await find(reference, where);
  if (found.is === "file") {
    const { path } = found.file;
    return readAt(path, () => readFileSync(path), read);
  }
  try {
    const bytes = await found.from.envelope(found.run);
    return readAt(`${found.from.place}, run ${found.run.run}`, () => bytes, read, found.run);
  } finally {
    found.from.close();
  }
}

/** `there`: what a collector knows of the run that its file does not say. */
function readAt(
  place: string,
  load: () => Uint8Array,
  options: ReadOptions,
  there: Pick<RemoteRun, "class" | "flags"> = {},
): OpenedRun {
  try {
    const bytes = load();
    const run = readEnvelope(bytes, options);
    const flags = [...new Set([...run.manifest.flags, ...(there.flags ?? [])])];
    return { run, bytes, place, class: there.class ?? run.header.class, flags };
  } catch (error) {
    const { code, message } = CliError.from(error, place);
    if (options.damaged !== "read-up-to" || !["REEN-DAMAGED", "REEN-TRUNCATED"].includes(code))
      throw CliError.from(error, place);
    // its own advice would be to read it as it was just read
    throw new CliError(code, `${message}; nothing before that can be read`, "bring it here again from where it came", {
      cause: error,
    });
  }
}

/** A run as a file of the local store: one from elsewhere is brought there first, and `told` of. */
export async function localRun(reference: string, where: Where, told: (line: string) => void): Promise<RunFile> {
  const found = await find(reference, where);
  if (found.is === "file") return found.file;
  try {
    const { run, runs } = await rehydrate(where.store, found.from, found.run);
    told(
      `run ${shortId(run, where.store)} from ${found.from.place}${runs.length > 1 ? `, and ${belonging(runs.length - 1)}` : ""}\n`,
    );
    return findRun(where.store, run);
  } finally {
    found.from.close();
  }
}
