import { setTimeout as pause } from "node:timers/promises";
import { type Entry, ENTRY_KIND, JOURNAL_START, type Position } from "../journal/journal.ts";
import { noLog } from "../log.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import { isTaken } from "../seal/is-taken.ts";
import { decodeMarkChange } from "../retain/mark-entry.ts";
import type { Assembler, AssemblerDeps } from "./assembler-port.ts";
import { CLOSE_LIMITS, type CloseLimits, type CloseReason, decideClose, type RunFacts } from "./close-policy.ts";
import { contextOf } from "./context-spans.ts";
import { ASSEMBLER } from "./assembler-cursor.ts";
import { arrivedIn, copyChains } from "./copy-chains.ts";
import { factsOf, type OpenRun, newestViews, openRun } from "./open-run.ts";
import { PendingMarks } from "./pending-marks.ts";
import { stepsOfRoot } from "./root-steps.ts";
import { RunTraces } from "./run-traces.ts";
import { scanEntry } from "./scan-entry.ts";
import { type JournalShare, type SealJob, sealJob } from "./seal-job.ts";
import { inTurns, type Slices } from "./slices.ts";
import { SpanTable } from "./span-table.ts";

const TICK_MS = 1_000;
const FINISH_LOOK_MS = 5;
const keyOf = (tenant: string, id: string) => `${tenant}/${id}`;

/** Collects the spans of the journal by run and hands each run over to be sealed when the close policy says so. */
export function createAssembler(deps: AssemblerDeps): Assembler {
  const { journal, limits = CLOSE_LIMITS, maxHeldBytes = 4 * 1024 ** 3, log = noLog } = deps;
  const { now: wall = Date.now, elapsed: now = () => performance.now() } = deps;
  const table = new SpanTable();
  const open = new Map<string, OpenRun>();
  const sealing = new Map<string, { run: OpenRun; job: SealJob }>();
  const traces = new RunTraces();
  const marks = new PendingMarks();
  const ending = new AbortController();
  let handled: Position = JOURNAL_START;
  /** As `handled`, with what is no entry: the end of the journal, once all is read. */
  let readUpTo: Position = JOURNAL_START;
  /** Entries before it may have been read by an earlier process. */
  let fresh: Position = JOURNAL_START;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let finishing = false;
  const underWay = new Set<Promise<void>>();
  const share: JournalShare = { name: deps.name ?? ASSEMBLER, fence: deps.fence ?? null, cursor };

  function take(entry: Entry): void {
    handled = entry.next;
    if (entry.kind === ENTRY_KIND.mark) noteMark(entry);
    if (entry.kind !== ENTRY_KIND.traces) return;
    const { tenant, body, place, position, receivedAt } = entry;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const touched = new Set<OpenRun>();
    const time = now();
    let group = -1;
    let last: { readonly run: OpenRun; readonly named: string | null; readonly at: number } | null = null;
    scanEntry(
      body,
      (scope) => (group = table.addGroup(place, scope)),
      (span) => {
        // Most spans belong to the run of the one before them.
        if (
          !last ||
          last.named !== span.run ||
          bytes.compare(bytes, last.at, last.at + 16, span.trace, span.trace + 16) !== 0
        ) {
          const trace = bytes.toString("hex", span.trace, span.trace + 16);
          const id = span.run ?? trace;
          const key = keyOf(tenant, id);
          let found = open.get(key);
          if (!found) {
            // what was received before a restart is as old as it is, as far as the clock can be believed
            const age = Math.min(Math.max(0, wall() - receivedAt), limits.ageMs);
            found = openRun({ tenant, id, position, received: receivedAt, now: time, age });
            open.set(key, found);
          }
          if (span.run !== null) {
            found.own = true;
            traces.add(found, trace);
          }
          touched.add(found);
          last = { run: found, named: span.run, at: span.trace };
        }
        const { run } = last;
        run.head = table.add(run.head, group, place.body, view, span);
        run.spans++;
        run.bytes += span.length;
        run.lastReceived = Math.max(run.lastReceived, receivedAt);
        run.lastSeen = time;
        if (span.root >= 0 || (!run.own && span.parent < 0)) {
          run.above = span.parent < 0 ? 0n : view.getBigUint64(span.parent);
          run.rootEnded ||= span.ended;
          if (span.root >= 0) run.steps = stepsOfRoot(bytes, span.root, span.rootLength);
        }
      },
    );
    for (const run of touched) consider(run);
  }

  function noteMark({ tenant, body, position }: Entry): void {
    const { run, change } = decodeMarkChange(body);
    marks.add(tenant, run, { change, position });
    if (!sealing.has(keyOf(tenant, run))) sayMarks(tenant, run);
  }

  /** Marks of a run of which no revision is sealed wait until one is. */
  function sayMarks(tenant: string, run: string): void {
    const changes = marks.of(tenant, run);
    if (changes.length === 0) return;
    const waits = open.has(keyOf(tenant, run));
    const stored = deps.mark(tenant, run, changes, { waits, fence: share.fence });
    void stored.then((done) => done && marks.done(tenant, run, changes));
  }

  /** Seals the run, or notes when to ask again. */
  function consider(run: OpenRun): void {
    if (run.asking) return;
    const rules = finishing ? { ...limits, settleMs: 0 } : limits;
    const isQuiet = now() >= run.lastSeen + rules.settleMs;
    const looking = factsOf(run, table, isQuiet, (id) => hasContext(run, id));
    const first = looking.next();
    if (first.done === true) decide(run, first.value, rules);
    else void lookOn(run, looking, rules);
  }

  /** Looks at the spans of a large run in slices. If it changes meanwhile, it is looked at anew. */
  async function lookOn(run: OpenRun, looking: Slices<RunFacts>, rules: CloseLimits): Promise<void> {
    const { spans, parted, head } = run;
    const wasFinishing = finishing;
    run.asking = true;
    const isOpen = () => open.get(keyOf(run.tenant, run.id)) === run;
    const facts = await inTurns(looking, () => isOpen() && run.spans === spans && run.parted === parted);
    run.asking = false;
    if (!isOpen()) return;
    if (facts === null || run.head !== head || finishing !== wasFinishing) consider(run);
    else decide(run, facts, rules);
  }

  function decide(run: OpenRun, facts: RunFacts, rules: CloseLimits): void {
    const decision = decideClose(facts, now(), rules);
    if ("look" in decision) run.due = decision.look;
    else if (sealing.has(keyOf(run.tenant, run.id))) run.due = now() + TICK_MS;
    else if (run.own) close(run, decision.seal);
    else closeForeign(run, decision.seal);
  }

  function hasContext(run: OpenRun, id: bigint): boolean {
    for (const trace of run.traces) {
      const context = trace === run.id ? run : open.get(keyOf(run.tenant, trace));
      if (!context) continue;
      for (const span of table.chain(context.head)) if (span.id === id) return true;
    }
    return false;
  }

  function close(run: OpenRun, reason: CloseReason): void {
    for (const trace of run.traces) takeContext(run, trace);
    const key = keyOf(run.tenant, run.id);
    open.delete(key);
    traces.close(run);
    const { tenant, id, head } = run;
    const job = sealJob(run, reason, marks.of(tenant, id), table, share, deps.runsOfTrace);
    sealing.set(key, { run, job });
    const finished = () => {
      sealing.delete(key);
      traces.sealed(run);
      void inTurns(table.drop(head));
      marks.done(tenant, id, job.marks);
      sayMarks(tenant, id);
    };
    const sealed = deps.seal(job).then(finished, (error: unknown) => {
      // The spans stay in the journal, and the cursor before them: a restart begins with them.
      if (isTaken(error)) log("info", "assemble.fenced", { run: id, tenant });
      else if (!ending.signal.aborted) log("error", "assemble.not-sealed", { run: id, tenant, error });
    });
    underWay.add(sealed);
    void sealed.finally(() => underWay.delete(sealed));
  }

  /** Spans of others in a trace of the run: those below it, and those below no run if it is the trace's first. */
  function takeContext(run: OpenRun, trace: string): void {
    const key = keyOf(run.tenant, trace);
    const context = open.get(key);
    if (!context || context === run || context.own) return;
    const runs = traces.openIn(key).flatMap((each) => open.get(each) ?? []);
    const { taken, rest, moved } =
      runs.length <= 1 ? { taken: context.head, rest: -1, moved: context.spans } : contextOf(run, runs, context, table);
    // Also where nothing moved: parting a chain changes its order, and so its head.
    context.head = rest;
    context.parted++;
    if (moved === 0) return;
    noteAgain(run, context, trace);
    run.head = table.join(taken, run.head);
    run.spans += moved;
    if (context.position < run.position) run.position = context.position;
    context.spans -= moved;
    if (context.spans > 0) return;
    open.delete(key);
    marks.move(run.tenant, trace, run.id);
  }

  function noteAgain(run: OpenRun, context: OpenRun, trace: string): void {
    if (context.position < fresh) run.again.push(trace);
  }

  /** A trace without a run of ours is a run; else its spans belong to the runs of ours, open or sealed. */
  function closeForeign(run: OpenRun, reason: CloseReason): void {
    const key = keyOf(run.tenant, run.id);
    if (traces.has(key) && reason !== "pressed" && reason !== "age") {
      run.due = now() + TICK_MS;
      return;
    }
    run.asking = true;
    deps.runsOfTrace(run.tenant, run.id).then(
      ([first]) => {
        run.asking = false;
        if (open.get(key) !== run) return;
        if (first !== undefined && first !== run.id) adopt(run, key, first);
        else if (sealing.has(key)) run.due = now() + TICK_MS;
        else close(run, reason);
      },
      (error: unknown) => {
        run.asking = false;
        run.due = now() + 10 * TICK_MS;
        log("warn", "assemble.catalog-silent", { error });
      },
    );
  }

  /** Late spans of a trace whose run of ours is sealed: they become spans of that run. */
  function adopt(run: OpenRun, key: string, id: string): void {
    const target = open.get(keyOf(run.tenant, id));
    open.delete(key);
    marks.move(run.tenant, run.id, id);
    noteAgain(target ?? run, run, run.id);
    if (target) {
      target.head = table.join(run.head, target.head);
      target.spans += run.spans;
      if (run.position < target.position) target.position = run.position;
      return;
    }
    run.id = id;
    run.own = true;
    open.set(keyOf(run.tenant, id), run);
    if (sealing.has(keyOf(run.tenant, id))) run.due = now() + TICK_MS;
    else close(run, "idle");
  }

  /** A run that is being sealed, then one with the spans that have come since. */
  function chainsOf(tenant: string, id: string): OpenRun[] {
    const key = keyOf(tenant, id);
    return [sealing.get(key)?.run, open.get(key)].filter((run) => run !== undefined);
  }

  function cursor(done: readonly SealJob[] = [], marked: readonly MarkChange[] = []): Position {
    let first = marks.first(marked) ?? handled;
    for (const { position } of open.values()) if (position < first) first = position;
    for (const { run, job } of sealing.values()) {
      if (!done.includes(job) && run.position < first) first = run.position;
    }
    return first;
  }

  function tick(): void {
    const time = now();
    const due: OpenRun[] = [];
    let oldest: OpenRun | null = null;
    for (const run of open.values()) {
      if (run.due <= time) due.push(run);
      if (oldest === null || run.position < oldest.position) oldest = run;
    }
    if (oldest && journal.bytesAfter(oldest.position) - journal.bytesAfter(handled) > maxHeldBytes) {
      oldest.pressed = true;
      if (oldest.due > time) due.push(oldest);
    }
    considerAll(due);
  }

  /** Sealing one may take spans from another: what is gone by then has no say. */
  function considerAll(runs: Iterable<OpenRun>): void {
    for (const run of runs) if (open.get(keyOf(run.tenant, run.id)) === run) consider(run);
  }

  return {
    run(from) {
      handled = from;
      fresh = journal.durable();
      const timer = setInterval(tick, TICK_MS);
      isRunning = true;
      running = (async () => {
        try {
          const onRead = (upTo: Position) => (readUpTo = upTo);
          for await (const entry of journal.read(from, ending.signal, { lent: true, onRead })) {
            try {
              take(entry);
            } catch (error) {
              log("error", "assemble.entry-unreadable", { position: entry.position, error });
            }
          }
        } finally {
          clearInterval(timer);
          isRunning = false;
        }
      })();
      return running;
    },
    tick,
    handled: () => handled,
    share,
    held: () => ({ records: table.records(), marks: marks.positions() }),
    open: (tenant, prefix, most) => {
      const from = { open: open.values(), sealing: [...sealing.values()].map(({ run }) => run) };
      return newestViews(from, { tenant, prefix, most }, (run) => marks.of(run.tenant, run.id));
    },
    spansOf: (tenant, id) => copyChains(table, () => chainsOf(tenant, id)),
    arrived(tenant, id, from, most) {
      const chains = chainsOf(tenant, id);
      return chains.length === 0 ? null : arrivedIn(table, chains, from, most);
    },
    pendingMarks: (tenant, run) => marks.of(tenant, run),
    counts: () => ({ open: open.size, sealing: sealing.size, spans: table.size }),
    async finish(ms) {
      const deadline = performance.now() + ms;
      await until(deadline, () => !isRunning || readUpTo >= journal.durable());
      finishing = true;
      considerAll(open.values());
      await until(deadline, () => !isRunning || ![...open.values()].some(({ asking }) => asking));
    },
    async stop() {
      ending.abort();
      await running.catch(() => {});
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function until(deadline: number, isSo: () => boolean): Promise<void> {
  while (!isSo() && performance.now() < deadline) await pause(FINISH_LOOK_MS);
}
