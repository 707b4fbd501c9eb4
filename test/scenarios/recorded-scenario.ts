import { readFileSync } from "node:fs";
import { renameTokens } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import type { ReplayReport } from "@reenact/replay";
import { checkOpenInference } from "../contracts/openinference.ts";
import type { Ended, RunSummary, Store } from "../e2e/reenact.ts";
import { commandOf } from "./run-scenario.ts";
import type { Scenario } from "./scenarios.ts";

export interface RecordedScenario {
  readonly scenario: Scenario;
  readonly format: "mjs" | "cjs";
  readonly command: readonly string[];
  readonly recorded: Ended & { summary: RunSummary };
}

/** What a scenario needs to find its provider; a replay gets the same, though nobody listens there any more. */
export function scenarioEnvironment(url: string): Record<string, string> {
  return { OPENAI_API_KEY: "none", ANTHROPIC_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url };
}

/** Records a scenario with `reenact run`. */
export async function recordScenario(
  scenario: Scenario,
  format: "mjs" | "cjs",
  store: Store,
  url: string,
): Promise<RecordedScenario> {
  const command = commandOf(scenario, format);
  const recorded = await store.run(command, { env: scenarioEnvironment(url), cwd: store.folder });
  return { scenario, format, command, recorded };
}

/** Replays it and says what is not as it was; empty when all is. Call it when the provider is gone. */
export async function replayProblems(
  { scenario, command, recorded }: RecordedScenario,
  store: Store,
  url: string,
  through: readonly string[] = [],
): Promise<string[]> {
  const { summary } = recorded;
  if (summary.run === null) return [`nothing was recorded: ${recorded.stderr}`];
  const original = readEnvelope(readFileSync(store.path(summary.run)));
  const problems = [...recordingProblems(recorded, original), ...toolProblems(scenario, original)];
  const options = { env: scenarioEnvironment(url), cwd: store.folder, through };
  const { report, stdout, stderr, code } = await store.replay(summary.run, command, options);
  problems.push(...reportProblems(report, scenario.asksInVain ? ["tools-unrecorded"] : []));
  if (stdout !== recorded.stdout) problems.push(`stdout:\n--- recorded\n${recorded.stdout}--- replayed\n${stdout}`);
  if (withoutPid(stderr) !== withoutPid(recorded.stderr))
    problems.push(`stderr: ${stderr}, recorded ${recorded.stderr}`);
  if (code !== 0) problems.push(`the replay ended with ${code}`);
  if (report.run === null) return [...problems, "the replay left no run"];
  const again = readEnvelope(readFileSync(store.path(report.run)));
  problems.push(...requestProblems(original, again), ...spanProblems("of the replay", again));
  return problems;
}

/** Node's warnings name the process. */
function withoutPid(text: string): string {
  return text.replace(/\(node:\d+\)/g, "(node)");
}

function recordingProblems(recorded: RecordedScenario["recorded"], run: Envelope): string[] {
  const problems = spanProblems("recorded", run);
  if (recorded.code !== 0) problems.push(`ended with ${recorded.code}: ${recorded.stderr}`);
  if (!run.complete) problems.push(`incomplete: ${run.incompleteReasons.join("; ")}`);
  if (recorded.summary.runs.length !== 1) problems.push(`${recorded.summary.runs.length} runs`);
  if ((run.facts?.lossy ?? []).length > 0) problems.push(`lossy: ${JSON.stringify(run.facts?.lossy)}`);
  return problems;
}

/** Each tool is found in the answer that asked for it, also in a streamed one. */
function toolProblems(scenario: Scenario, { steps }: Envelope): string[] {
  const tools = steps.filter(({ record }) => record.op.startsWith("tool:"));
  const problems = tools
    .filter(({ record }) => record.asked !== true)
    .map(({ record }) => `nobody asked for ${record.path}`);
  return tools.length > 0 === scenario.tools ? problems : [...problems, `${tools.length} tool steps`];
}

function spanProblems(which: string, { spans }: Envelope): string[] {
  const problems: string[] = [];
  for (const { span, record } of spans) {
    const shown = Object.fromEntries(Object.entries(span.attributes).filter(([key]) => !key.startsWith("reenact.")));
    if (span.endUnixNano < span.startUnixNano) problems.push(`span ${span.name} ${which} has not ended`);
    for (const problem of checkOpenInference(shown)) problems.push(`span ${span.name} ${which}: ${problem}`);
    for (const lossy of record?.lossy ?? []) problems.push(`span ${span.name} ${which} is lossy: ${lossy}`);
  }
  return problems;
}

function reportProblems(report: ReplayReport, findings: readonly string[]): string[] {
  const problems: string[] = [];
  if (report.verdict !== "identical")
    problems.push(`${report.verdict}: ${JSON.stringify(report.divergence)} ${report.stopped?.message ?? ""}`);
  if (report.socketsRefused !== 0) problems.push(`${report.socketsRefused} connections tried`);
  if (report.findings.join() !== findings.join()) problems.push(`findings: ${report.findings.join()}`);
  if (report.refusals.length > 0) problems.push(`refused: ${JSON.stringify(report.refusals)}`);
  if (report.exitCode.now !== report.exitCode.recorded) problems.push(`exit code ${report.exitCode.now}`);
  for (const { slot, verdict } of report.calls)
    if (verdict !== "exact" && verdict !== "equivalent") problems.push(`${slot}: ${verdict}`);
  return problems;
}

/** Request by request, in the order of their starts; so the order of tool starts is compared, too. */
function requestProblems(recorded: Envelope, now: Envelope): string[] {
  const before = requestsOf(recorded);
  const after = requestsOf(now);
  const problems =
    before.length === after.length ? [] : [`${after.length} requests went out, recorded were ${before.length}`];
  for (const [at, request] of before.entries()) {
    const same = after[at];
    if (same !== undefined && same !== request)
      problems.push(`request ${at + 1}:\n--- recorded\n${request}\n--- now\n${same}`);
  }
  return problems;
}

function requestsOf({ steps }: Envelope): string[] {
  return steps
    .toSorted((a, b) => a.record.order.start - b.record.order.start)
    .map(({ span, record }) => {
      const { exchange, call } = record;
      const line = exchange === undefined ? "" : `${exchange.request.method} ${exchange.request.url}\n`;
      const binary =
        exchange?.request.body !== undefined && "base64" in exchange.request.body ? exchange.request.body.base64 : "";
      const sent = call?.args ?? span.attributes["input.value"] ?? binary;
      return renameTokens(`${record.path}/${record.op}|${record.n}|${record.attempt}\n${line}${String(sent)}`);
    });
}
