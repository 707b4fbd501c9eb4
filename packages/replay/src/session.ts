import { LiveSource, recorder, type Run, scrubTyped, type Source, Tally } from "@reenact/capture";
import { renameTokens } from "@reenact/envelope";
import { dialects } from "@reenact/node";
import { changedFiles } from "./changed-files.ts";
import { Ledger } from "./ledger.ts";
import { beginDifferently, nearestTape } from "./nearest-tape.ts";
import { blameRefusal, type Ending, outcomeOf, type ReplayReport } from "./outcome.ts";
import type { ReplayGate } from "./replay-gate.ts";
import type { Tape, TapedStep } from "./tape.ts";
import { TapeSource } from "./tape-source.ts";
import { Tapes } from "./tapes.ts";
import { UndecidedSource } from "./undecided-source.ts";
import { deliversAnswer, type StopPoint, stopPoints } from "./unrecorded-tools.ts";

export interface SessionOptions {
  target: Tape;
  /** other runs of the same process, served from their own records */
  siblings: Tape[];
  mode: "strict" | "observe";
  runTools: string[];
  serveTools: string[];
  allowUnrecordedTools: boolean;
  /** ends the replay at once; never returns in a process of its own */
  stop(reason: NonNullable<ReplayReport["stopped"]>): void;
}

/** One replay: which run is served from which record, and what was found. */
export class Session {
  readonly ledger: Ledger;
  readonly #options: SessionOptions;
  readonly #stops: StopPoint[];
  readonly #tapes: Tapes;
  readonly #sources = new Map<string, TapeSource>();
  readonly #runs = new Set<Run>();
  #target: TapeSource | null = null;
  #run: Run | null = null;
  stopped: ReplayReport["stopped"] = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.ledger = new Ledger(options.target);
    this.#tapes = new Tapes([options.target, ...options.siblings]);
    this.#stops = stopPoints(options.target, askedTools);
    if ((options.target.root.tools?.unrecorded ?? 0) > 0) this.ledger.findings.add("tools-unrecorded");
    const then = options.target.root.process?.node;
    if (then !== undefined && minor(then) !== minor(process.versions.node)) this.ledger.findings.add("node-changed");
  }

  get targetRun(): Run | null {
    return this.#run;
  }

  /** The recorded run is over here, and no other one is under way. */
  get isServed(): boolean {
    return this.#run?.over === true && [...this.#runs].every(({ over }) => over);
  }

  get gates(): ReplayGate[] {
    return [...this.#sources.values()].map((s) => s.gate);
  }

  /** For `recorder.sourceFor`. */
  sourceFor(run: Run, only: boolean = false): Source {
    const { target } = this.#options;
    this.#runs.add(run);
    if (only && this.#target === null) return this.#serve(run, target);
    const fit = this.#tapes.fit(run.start);
    const [likeliest] = fit;
    if (likeliest === undefined) return new LiveSource(run);
    if (!beginDifferently(fit)) return this.#serve(run, this.#tapes.take(likeliest));
    // the draws of the run that is judged are right; in another one they may be off until it is known
    return new UndecidedSource(run, fit.includes(target) ? target : likeliest, (step, content) => {
      const left = this.#tapes.fit(run.start);
      const tape = step === null || content === null ? left[0] : nearestTape(left, step, content);
      return tape === undefined ? new LiveSource(run) : this.#serve(run, this.#tapes.take(tape));
    });
  }

  /** The source of a run that is served from this record. */
  #serve(run: Run, tape: Tape): TapeSource {
    const { target } = this.#options;
    const isTarget = tape === target;
    const ledger = isTarget ? this.ledger : new Ledger(tape);
    const source = new TapeSource(
      run,
      tape,
      ledger,
      {
        mode: isTarget ? this.#options.mode : "observe",
        runTools: new Set(this.#options.runTools),
        serveTools: new Set(this.#options.serveTools),
      },
      {
        diverged: ({ why, expected, waiting }) => {
          const step =
            expected !== null && "id" in expected && expected.k !== "t" && expected.k !== "o"
              ? (tape.steps.get(expected.id) ?? null)
              : null;
          const what =
            expected === null
              ? "the end of the run"
              : expected.k === "s"
                ? `the start of ${step?.record.op ?? `step ${expected.id + 1}`}`
                : describe(expected.k, step);
          blameRefusal(ledger);
          ledger.diverged(
            step === null ? null : step.index + 1,
            step === null
              ? null
              : `${step.record.path === "" ? "" : `${step.record.path}/`}${step.record.op}|${step.record.n}`,
            expected?.k === "s" ? "missing" : "order",
            null,
            `expected ${what}; ${why}${waiting.length === 0 ? "" : ` and waits for ${waiting.length === 1 ? "one other delivery" : `${waiting.length} other deliveries`}`}`,
          );
        },
        exhausted: () =>
          this.#stop({
            reason: "recording-ends",
            message: `the recorded process died here (${tape.incompleteReasons[0] ?? tape.status}); there is no more to replay`,
          }),
        mayDeliver: (event) => this.#mayDeliver(event, isTarget),
      },
      (slot) =>
        this.#stop({ reason: "strict", message: `stopped at ${slot}: the first call that is not what was recorded` }),
    );
    this.#sources.set(run.id, source);
    if (isTarget) {
      this.#target = source;
      this.#run = run;
    }
    source.gate.watch();
    return source;
  }

  /** What the replayed `agent()` call returned or threw, as it would be recorded; null if it never did. */
  get output(): string | null {
    const text = (this.#run?.outcome ?? this.#run?.answered)?.output ?? null;
    return text === null || recorder.scrubber === null ? null : scrubTyped(recorder.scrubber, text, new Tally());
  }

  /** The recorded token for a token of now. */
  translate(token: string): string {
    return this.#target?.translate(token) ?? token;
  }

  /** The event loop is empty. */
  idle(): void {
    for (const gate of this.gates) gate.idle();
  }

  /** Closes the books. `ending` says how the agent ended. */
  close(ending: Omit<Ending, "run" | "missing" | "stopped" | "output">): ReplayReport {
    const source = this.#target;
    const { target } = this.#options;
    const missing =
      this.stopped !== null || source === null
        ? 0
        : this.ledger.close(source.served, (step) => openAtEnd(target, step));
    if ((source?.gate.earlyWakes ?? 0) > 0) this.ledger.findings.add("early-wake");
    if (source === null && this.stopped === null)
      this.ledger.diverged(
        null,
        null,
        "missing",
        null,
        target.root.trigger === "function"
          ? `agent ${target.root.name ?? ""} was never called`
          : "the recorded run never began",
      );
    const output = this.output === null ? null : renameTokens(this.output);
    const report = outcomeOf(this.ledger, {
      ...ending,
      output,
      run: this.#run?.born ? this.#run.id : null,
      missing,
      stopped: this.stopped,
    });
    const changed = report.verdict === "diverged" ? changedFiles(target, !!report.divergence?.pointer) : null;
    if (changed !== null) return { ...report, notes: [...report.notes, changed] };
    if (report.verdict !== "incomplete" || report.stopped !== null) return report;
    const message = `the recording ends here: ${target.incompleteReasons[0] ?? target.status}`;
    return { ...report, stopped: { reason: "recording-ends", message } };
  }

  /** Whoever runs the replay wants no more of it. */
  interrupt(signal: string): void {
    const served = this.ledger.calls.length;
    const all = this.#options.target.steps.size;
    this.#stop({ reason: "interrupted", message: `interrupted by ${signal}, with ${served} of ${all} steps met` });
  }

  /** The program sends itself a signal that ends it, as it did when it was recorded. */
  ownDeath(signal: string): void {
    this.#stop({ reason: "recording-ends", message: `the program ended itself with ${signal} here` });
  }

  #mayDeliver(event: Parameters<typeof deliversAnswer>[0], isTarget: boolean): boolean {
    if (!isTarget || this.#options.allowUnrecordedTools) return true;
    const point = this.#stops.find((p) => deliversAnswer(event, p));
    if (point === undefined) return true;
    const names = point.tools.join(", ");
    this.#stop({
      reason: "unrecorded-tools",
      message:
        `step ${point.step.index + 1} asks for ${names}, which ${point.tools.length === 1 ? "was" : "were"} not recorded and did this outside every step: ${point.effects.slice(0, 3).join(", ")}. ` +
        `Wrap ${point.tools.length === 1 ? "it" : "them"} so that a replay can serve what was recorded: ${point.tools.map((t) => `const ${identifier(t)} = tool("${t}", ${identifier(t)}Body)`).join("; ")} ` +
        `(import { tool } from "@reenact/node"), or run the bodies again in a scratch copy: --allow-unrecorded-tools`,
    });
    return false;
  }

  #stop(reason: NonNullable<ReplayReport["stopped"]>): void {
    if (this.stopped !== null) return;
    this.stopped = reason;
    this.#options.stop(reason);
  }
}

function identifier(name: string): string {
  const id = name.replace(/[^A-Za-z0-9_$]+(.)?/g, (_, c: string | undefined) => (c ?? "").toUpperCase());
  return /^[A-Za-z_$]/.test(id) ? id : `tool${id}`;
}

function describe(kind: string, step: TapedStep | null): string {
  const op = step?.record.op ?? "a step";
  switch (kind) {
    case "h":
      return `the answer of ${op}`;
    case "c":
    case "e":
      return `the body of ${op}`;
    case "t":
      return "a timer";
    case "o":
      return "a file operation";
    default:
      return "a native wake-up";
  }
}

/** In flight when the recorded run ended: nobody waited for it. */
function openAtEnd(tape: Tape, step: TapedStep): boolean {
  return step.record.order.settle === undefined && tape.status !== "ok" && !tape.complete;
}

function askedTools(step: TapedStep): string[] {
  const response = step.record.exchange?.response;
  if (response === undefined || response.status >= 400) return [];
  const request = step.record.exchange?.request;
  const mime = response.headers.find(([k]) => k.toLowerCase() === "content-type")?.[1]?.split(";")[0] ?? "";
  const text =
    response.body === undefined
      ? null
      : "text" in response.body
        ? (response.body.text as string)
        : "$" in response.body
          ? step.output
          : null;
  if (text === null || request === undefined) return [];
  for (const dialect of dialects) {
    let url: URL;
    try {
      url = new URL(request.url);
    } catch {
      return [];
    }
    const operation = dialect.recognise({
      method: request.method,
      url,
      headers: new Map(request.headers.map(([k, v]) => [k.toLowerCase(), v])),
      body: step.input,
    });
    if (operation !== null)
      return [
        ...new Set(
          operation.toolAsks({ status: response.status, mime, text, bytes: text.length }).map((ask) => ask.name),
        ),
      ];
  }
  return [];
}

function minor(version: string): string {
  return version.replace(/^v/, "").split(".").slice(0, 2).join(".");
}
