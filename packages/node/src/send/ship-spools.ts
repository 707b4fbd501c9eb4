import { readFileSync, rmSync, statSync } from "node:fs";
import type { WrittenEnvelope } from "@reenact/envelope/file";
import type { ScannedSpan } from "@reenact/envelope";
import { type Claim, claimFiles, type Opening } from "../seal/claim.ts";
import { type HeldRuns, reportHeldRuns } from "../seal/held-runs.ts";
import { completeRun } from "../seal/complete-run.ts";
import { type SpoolContent, spoolReading } from "../seal/spooled-run.ts";
import { advanceCursor, belongsHere, readCursor, removeCursor, sweepCursors, waitingTargets } from "../spool/cursor.ts";
import { readFrames } from "../spool/frame.ts";
import { type Target, targetKey } from "../spool/target.ts";
import type { StoreLayout } from "../config/store-layout.ts";
import type { Destination } from "./destination.ts";
import { destinationFor } from "./destinations.ts";
import { type Link, openLink, type Trouble } from "./link.ts";
import { waitFor } from "./wait-for.ts";

export interface ShipOptions {
  /** how the destinations of this environment are reached; another one that a file names gets no key */
  known: readonly Destination[];
  /** which targets; default all */
  only?: (target: Target) => boolean;
  /** also files of dead processes that were started with `REENACT_LAUNCH` set to this */
  launch?: string;
  /** never files of this process */
  except?: string;
  /** how long a destination that takes nothing is tried again, milliseconds */
  waitBudgetMs: number;
  signal: AbortSignal;
  /** give what was sent as an envelope. Default false */
  describe?: boolean;
}

export interface ShippedRun {
  /** 32 hex */
  readonly run: string;
  readonly target: Target;
  /** `REENACT_LAUNCH` of its process */
  readonly launch: string | null;
  /** as the local store would have it; null: not asked for */
  readonly sealed: WrittenEnvelope | null;
}

export interface ShipReport {
  /** runs that a target has now, whole */
  readonly sent: ShippedRun[];
  /** runs that still wait, by target */
  readonly waiting: { target: Target; runs: ShippedRun[]; trouble: Trouble }[];
  /** runs of files that were left to a process that may still write them, or is at them */
  readonly held: HeldRuns[];
  /** spans that a target will never take; a collector's are kept in the local store then */
  readonly refused: { target: Target; spans: number; why: string }[];
  /** runs that had to go because the spool was full of runs that no destination accepts */
  dropped: number;
}

/** A span, and where in the file that which it was made of ends. */
interface Piece {
  readonly span: ScannedSpan;
  readonly end: number;
}

const BATCH = 1024 * 1024;
const FIRST_WAIT = 200;
const LATE: Trouble = { kind: "busy", why: "there was no time for it", after: null };

/**
 * Sends what dead processes have left in the spool of a store, what was launched so first. A step that has no end is sent
 * as one of a
 * process that died. Safe in many processes at once and to kill at any moment. Throws when the spool cannot be read.
 */
export async function shipSpools(layout: StoreLayout, options: ShipOptions): Promise<ShipReport> {
  const { known, only = () => true, signal } = options;
  sweepCursors(layout);
  const report: ShipReport = { sent: [], waiting: [], held: [], refused: [], dropped: 0 };
  const links = new Map<string, { link: Link; trouble: Trouble | null }>();
  const { launch, except } = options;
  const first = new Set<string>();
  function wanted(opening: Opening, stem: string, size: number): boolean {
    const isOurs = launch !== undefined && opening.launch === launch;
    if (isOurs) first.add(stem);
    // what the process itself has sent to its end is told of, too
    const targets = isOurs ? opening.targets : waitingTargets(opening.targets, readCursor(layout, stem), size);
    return targets.some((each) => only(each));
  }
  const rule = {
    olderThanMs: 5000,
    launch,
    except,
    irreversible: true,
    wanted,
    held: reportHeldRuns((each) => report.held.push(each)),
  };
  const claims = claimFiles(layout, rule).toSorted((a, b) => Number(first.has(b.stem)) - Number(first.has(a.stem)));
  let at = 0;
  try {
    for (let claim = claims[at]; claim !== undefined; claim = claims[++at]) await ship(claim);
  } finally {
    for (const claim of claims.slice(at)) claim.release();
    for (const { link } of links.values()) {
      const { destination, refused } = link;
      if (refused.spans > 0) report.refused.push({ target: destination.target, ...refused });
      link.close();
    }
  }
  return report;

  async function ship(claim: Claim): Promise<void> {
    const { path, stem } = claim;
    const file = readFileSync(path);
    const { content, pieces } = piecesOf(file);
    const before = readCursor(layout, stem);
    const named = waitingTargets(content.targets, before, file.length);
    if (first.has(stem) && !before.local)
      for (const target of content.targets.filter((each) => only(each) && !named.includes(each)))
        report.sent.push(...(await runsOf(content, target)));
    for (const target of named.filter((each) => only(each))) {
      const held = linkTo(target);
      held.trouble ??= signal.aborted ? LATE : await sendAll(pieces, held.link, claim, file.length);
      const runs = await runsOf(content, target);
      if (held.trouble !== null) waits(target, runs, held.trouble);
      else report.sent.push(...runs);
    }
    const cursor = readCursor(layout, stem);
    const left = waitingTargets(content.targets, cursor, file.length);
    const whole = statSync(path, { throwIfNoEntry: false })?.size === file.length;
    if (left.length > 0 || !whole || (belongsHere(content.targets, cursor) && !cursor.sealed)) return claim.release();
    rmSync(path, { force: true });
    removeCursor(layout, stem);
  }

  function linkTo(target: Target): { link: Link; trouble: Trouble | null } {
    const key = targetKey(target);
    const held = links.get(key) ?? { link: openLink(destinationFor(target, known), layout.folder), trouble: null };
    links.set(key, held);
    return held;
  }

  async function sendAll(pieces: readonly Piece[], link: Link, claim: Claim, size: number): Promise<Trouble | null> {
    const key = targetKey(link.destination.target);
    let from = readCursor(layout, claim.stem).sent[key] ?? 0;
    const rest = pieces.filter(({ end }) => end > from);
    for (let at = 0; at < rest.length;) {
      let to = at;
      for (let bytes = 0; to < rest.length && bytes < BATCH; to++) bytes += rest[to]?.span.span.length ?? 0;
      const trouble = await sendWithRetries(link, rest.slice(at, to));
      if (trouble !== null) return trouble;
      from = rest[to - 1]?.end ?? from;
      note(claim, link, to < rest.length && rest[to]?.end === from ? from - 1 : from);
      at = to;
    }
    if (rest.length === 0) {
      const trouble = await link.ready(signal);
      if (trouble !== null) return trouble;
    }
    note(claim, link, size + 1);
    return null;
  }

  async function sendWithRetries(link: Link, pieces: readonly Piece[]): Promise<Trouble | null> {
    const until = performance.now() + options.waitBudgetMs;
    for (let wait = FIRST_WAIT; ; wait *= 2) {
      const trouble = await link.send(
        pieces.map(({ span }) => span),
        signal,
      );
      if (trouble === null || signal.aborted) return trouble;
      const mayMend = trouble.kind === "away" || trouble.kind === "busy";
      const pause = trouble.after ?? wait;
      if (!mayMend || performance.now() + pause > until) return trouble;
      await waitFor(pause, signal);
    }
  }

  function note(claim: Claim, { destination, refused }: Link, sent: number): void {
    advanceCursor(layout, claim.stem, destination.target, { sent, lacks: refused.spans > 0 });
    claim.touch();
  }

  async function runsOf(content: SpoolContent, target: Target): Promise<ShippedRun[]> {
    // a launcher asks for its own
    const asked = options.describe === true && (launch === undefined || content.launch === launch);
    const writeEnvelope = asked ? (await import("@reenact/envelope/file")).writeEnvelope : null;
    return [...content.runs.values()].map((run) => {
      const spans = writeEnvelope === null ? [] : completeRun(run.spans, content, run).spans;
      return {
        run: run.run,
        target,
        launch: content.launch,
        sealed: spans.length === 0 ? null : (writeEnvelope?.({ spans }) ?? null),
      };
    });
  }

  function waits(target: Target, runs: ShippedRun[], trouble: Trouble): void {
    const there = report.waiting.find((each) => targetKey(each.target) === targetKey(target));
    if (there === undefined) report.waiting.push({ target, runs, trouble });
    else there.runs.push(...runs);
  }
}

/** Every span of a file in the order of its frames, behind them what the process did not live to write. */
function piecesOf(file: Buffer): { content: SpoolContent; pieces: Piece[] } {
  const pieces: Piece[] = [];
  const { frames, damage } = readFrames(file);
  let end = 0;
  const reading = spoolReading((run, span) => {
    run.spans.push(span);
    pieces.push({ span, end });
  }, damage);
  for (const frame of frames) {
    end = frame.end;
    reading.take(frame);
  }
  const { content } = reading;
  for (const run of content.runs.values()) {
    const real = new Set(run.spans);
    const made = completeRun(run.spans, content, run).spans.filter((span) => !real.has(span));
    for (const span of made) pieces.push({ span, end: file.length + 1 });
  }
  return { content, pieces };
}
